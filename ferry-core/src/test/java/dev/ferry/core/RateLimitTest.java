package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.internal.CallReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RateLimitTest {
  private static final long BURST = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long RATE = 1_000_000;
  private static final long NANOS_A_BYTE = TimeUnit.SECONDS.toNanos(1) / RATE;

  private final CountedPauses pauses = new CountedPauses();

  /** After each pause, no more bytes have passed than the rate and the bucket allow, nor fewer. */
  @Test
  void take_anyBytesAndIdleTimes_keepsTheRateAndWaitsNoLonger() {
    Generated.check(
        200,
        input ->
            assertKeepsTheRate(
                input.between(1024, 1L << 40),
                input.list(1, 50, () -> input.between(0, 10_000_000)),
                input.between(0, 200_000_000)));
  }

  private static void assertKeepsTheRate(long rate, List<Integer> amounts, int idle) {
    CountedPauses clock = new CountedPauses();
    RateLimit limit = clock.limit(rate);
    double passed = 0;
    double elapsed = 0;
    for (int i = 0; i < amounts.size(); i++) {
      long wait = Math.max(0, limit.take(amounts.get(i)));
      clock.pass(wait);
      passed += amounts.get(i);
      elapsed += wait;
      // A nanosecond is lost by rounding in each step.
      assertThat(passed * 1e9 / rate).isLessThanOrEqualTo(elapsed + BURST + i + 1);
      if (wait > 0) {
        assertThat(wait).isLessThanOrEqualTo((long) (amounts.get(i) * 1e9 / rate) + 1);
      }
      if (i == amounts.size() / 2) {
        clock.pass(idle);
        elapsed += idle;
      }
    }
  }

  @Test
  void take_bySeveralTransfers_countsAllOfThem() {
    RateLimit limit = pauses.limit(RATE);

    assertThat(limit.take(50_000)).as("the bucket held them").isZero();
    assertThat(limit.take(10_000)).isEqualTo(10_000 * NANOS_A_BYTE);
    assertThat(limit.take(10_000)).as("behind the other").isEqualTo(20_000 * NANOS_A_BYTE);
    pauses.pass(TimeUnit.HOURS.toNanos(1));
    assertThat(limit.take(60_000)).as("no more is saved up").isEqualTo(10_000 * NANOS_A_BYTE);
  }

  @Test
  void bytesPerSecond_tooFew_isRefused() {
    assertThatThrownBy(() -> RateLimit.bytesPerSecond(1023))
        .hasMessage("1023 bytes a second are too few; give 1024 or more");
  }

  @Test
  void chunkSize_passesIn50Milliseconds() {
    TransferOptions options = TransferOptions.DEFAULT;

    assertThat(options.withRateLimit(pauses.limit(1024)).chunkSize()).isEqualTo(1024);
    assertThat(options.withRateLimit(pauses.limit(RATE)).chunkSize()).isEqualTo(50_000);
    assertThat(options.withRateLimit(pauses.limit(Long.MAX_VALUE)).chunkSize())
        .isEqualTo(options.chunkSize());
  }

  @Test
  void window_passesInASecond() {
    int largest = 16 * 1024 * 1024;

    assertThat(RateLimit.window(pauses.limit(1024), largest)).isEqualTo(64 * 1024);
    assertThat(RateLimit.window(pauses.limit(RATE), largest)).isEqualTo((int) RATE);
    assertThat(RateLimit.window(pauses.limit(Long.MAX_VALUE), largest)).isEqualTo(largest);
    assertThat(RateLimit.window(null, largest)).isEqualTo(largest);
  }

  @Test
  void update_ofALimitedCall_pausesForWhatMovedAndNotBeyondTheTimeout() {
    CallReport report = report(null);
    report.update(300_000, 900_000);
    assertThat(pauses.total()).as("where the rest begins").isZero();
    report.update(400_000, 900_000);
    assertThat(pauses.total()).isEqualTo(100_000 * NANOS_A_BYTE - BURST);

    long before = pauses.total();
    CallReport hasty = report(Duration.ofMillis(30));
    hasty.update(0, 900_000);
    hasty.update(500_000, 900_000);
    hasty.update(900_000, 900_000);
    assertThat(pauses.total() - before).isEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
  }

  @Test
  void update_duringAPause_isNoStallAndEndsWithTheCall() throws Exception {
    pauses.holding();
    CallReport report = report(null);
    report.update(0, 900_000);
    Background<Boolean> moving =
        Background.start(
            () -> {
              report.update(900_000, 900_000);
              return true;
            });
    pauses.awaitBegun();
    long interval = report.watch().interval();
    for (int i = 0; i < 100; i++) {
      assertThat(report.watch().look(interval)).isFalse();
    }

    report.endPauses();

    assertThat(moving.result()).isTrue();
  }

  private CallReport report(@Nullable Duration timeout) {
    TransferOptions options =
        TransferOptions.DEFAULT.withRateLimit(pauses.limit(RATE)).withTimeout(timeout);
    return new CallReport("f", "server:1", options, true);
  }
}
