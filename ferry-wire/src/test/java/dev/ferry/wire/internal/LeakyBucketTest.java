package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import dev.ferry.wire.RequestRate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeakyBucketTest {
  private static RequestRate rate(Generated input) {
    Duration unit =
        input.of(
            Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(1));
    return new RequestRate(input.between(1, input.of(5L, 999_999L)), unit);
  }

  @Test
  void toString_ofAnyRate_isReadBack() {
    Generated.check(
        200,
        input -> {
          RequestRate rate = rate(input);
          assertThat(RequestRate.parse(rate.toString())).isEqualTo(rate);
        });
  }

  /**
   * What is refused can be sent exactly when it was said, and no more is sent than the rate permits
   * at once and what has come back since.
   */
  @Test
  void take_atAnyTimes_keepsTheRate() {
    Generated.check(
        200,
        input -> assertKeepsTheRate(rate(input), input.list(1, 40, () -> input.between(0, 1.2))));
  }

  /**
   * @param pauses before each request, in shares of the unit for one request
   */
  private static void assertKeepsTheRate(RequestRate rate, List<Double> pauses) {
    long begin = Long.MAX_VALUE - 1000;
    long now = begin;
    LeakyBucket bucket = new LeakyBucket(begin);
    double unit = rate.unit().toNanos();
    long taken = 0;
    for (double pause : pauses) {
      now += (long) (pause * unit / rate.requests());
      long delay = bucket.take(rate, now);
      assertThat(delay).isNotNegative();
      if (delay > 0) {
        assertThat(bucket.take(rate, now + delay - 1)).isEqualTo(1);
        now += delay;
        assertThat(bucket.take(rate, now)).isZero();
      }
      taken++;
      // A nanosecond is lost by rounding in each step.
      double rounded = taken * rate.requests() / unit + 1e-6;
      assertThat((double) taken)
          .isLessThanOrEqualTo(rate.requests() * (1 + (now - begin) / unit) + rounded);
    }
  }
}
