package dev.ferry.wire.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.Generated;
import dev.ferry.wire.Quota;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeakyBucketTest {
  private static Quota quota(Generated input) {
    Quota.Kind kind = input.of(Quota.Kind.REQUESTS, Quota.Kind.FILES, Quota.Kind.TOTAL);
    long most = kind == Quota.Kind.TOTAL ? 1L << 50 : 999_999;
    Duration unit =
        input.of(
            Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(1));
    return new Quota(kind, input.between(1, most), unit);
  }

  @Test
  void toString_ofAnyQuota_isReadBack() {
    Generated.check(
        200,
        input -> {
          Quota quota = quota(input);
          assertThat(Quota.parse(quota.toString())).isEqualTo(quota);
        });
  }

  /**
   * What is refused can be taken exactly when it was said, and no more is taken than the quota at
   * once and what has come back since.
   */
  @Test
  void take_anyAmounts_keepsTheQuota() {
    Generated.check(
        200,
        input ->
            assertKeepsTheQuota(
                quota(input),
                input.list(1, 40, () -> input.between(0, 1.2)),
                input.between(0, 0.5)));
  }

  /**
   * @param shares parts of the quota; what is more than the whole is always refused
   */
  private static void assertKeepsTheQuota(Quota quota, List<Double> shares, double idle) {
    long begin = Long.MAX_VALUE - 1000;
    long now = begin;
    LeakyBucket bucket = new LeakyBucket(begin);
    double unit = quota.unit().toNanos();
    double taken = 0;
    for (double share : shares) {
      long amount = Math.max(1, (long) (share * quota.amount()));
      long delay = bucket.take(quota, amount, now);
      assertThat(delay).isNotNegative();
      if (amount > quota.amount()) {
        assertThat(delay).isPositive();
        continue;
      }
      if (delay > 0) {
        assertThat(bucket.delay(quota, amount, now + delay - 1)).isEqualTo(1);
        now += delay;
        assertThat(bucket.take(quota, amount, now)).isZero();
      }
      taken += amount;
      // A nanosecond is lost by rounding in each step.
      double rounded = shares.size() * (quota.amount() / unit + 1);
      assertThat(taken).isLessThanOrEqualTo(quota.amount() * (1 + (now - begin) / unit) + rounded);
      now += (long) (idle * unit / shares.size());
    }
  }

  @Test
  void reserve_ofAPart_leavesTheRestUntilItIsUsedOrGivenBack() throws FerryException {
    Quota quota = Quota.parse("files:10/h");
    long hour = quota.unit().toNanos();
    LeakyBucket bucket = new LeakyBucket(0);
    assertThat(bucket.reserve(quota, 6, 0)).isZero();
    assertThat(bucket.take(quota, 5, 0)).isEqualTo(hour / 10);
    assertThat(bucket.take(quota, 4, 0)).isZero();
    assertThat(bucket.take(quota, 5, 2 * hour)).isEqualTo(hour / 10);
    bucket.use(quota, 4, 2 * hour);
    assertThat(bucket.take(quota, 5, 2 * hour)).isPositive();
    bucket.giveBack(2);
    assertThat(bucket.take(quota, 6, 2 * hour)).isZero();
    assertThat(bucket.take(quota, 1, 2 * hour)).isEqualTo(hour / 10);
  }
}
