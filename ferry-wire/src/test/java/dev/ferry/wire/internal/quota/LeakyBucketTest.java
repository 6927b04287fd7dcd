package dev.ferry.wire.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.wire.Quota;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class LeakyBucketTest {
  @Provide
  Arbitrary<Quota> quotas() {
    Arbitrary<Duration> units =
        Arbitraries.of(
            Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(1));
    Arbitrary<Quota> numbers =
        Combinators.combine(
                Arbitraries.of(Quota.Kind.REQUESTS, Quota.Kind.FILES),
                Arbitraries.longs().between(1, 999_999),
                units)
            .as(Quota::new);
    Arbitrary<Quota> sizes =
        Combinators.combine(Arbitraries.longs().between(1, 1L << 50), units)
            .as((bytes, unit) -> new Quota(Quota.Kind.TOTAL, bytes, unit));
    return Arbitraries.oneOf(numbers, sizes);
  }

  @Property(tries = 200)
  void toString_ofAnyQuota_isReadBack(@ForAll("quotas") Quota quota) throws FerryException {
    assertThat(Quota.parse(quota.toString())).isEqualTo(quota);
  }

  /**
   * What is refused can be taken exactly when it was said, and no more is taken than the quota at
   * once and what has come back since.
   *
   * @param shares parts of the quota; what is more than the whole is always refused
   */
  @Property(tries = 200)
  void take_anyAmounts_keepsTheQuota(
      @ForAll("quotas") Quota quota,
      @ForAll @Size(min = 1, max = 40) List<@DoubleRange(min = 0, max = 1.2) Double> shares,
      @ForAll @DoubleRange(min = 0, max = 0.5) double idle) {
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
