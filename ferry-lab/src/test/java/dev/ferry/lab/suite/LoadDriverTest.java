package dev.ferry.lab.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LoadDriverTest {
  private static final int OPERATIONS = 200;

  /** The operations that are not timed. */
  private static final int LEAD_IN = OPERATIONS / 10;

  private static final int STALL_MILLIS = 400;

  /** Stalls both workers once. */
  private static final class Stalling implements Operation {
    private volatile boolean stalls;

    @Override
    public void run(int worker, int operation) throws IOException {
      try {
        Thread.sleep(stalls && operation / 2 == LEAD_IN / 2 ? STALL_MILLIS : 1);
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }

    @Override
    public Outcome outcome() {
      return Outcome.identity(0, "none");
    }

    @Override
    public void close() {}
  }

  @Test
  void openLoop_operationsThatArriveDuringAStall_areTimedFromTheirIntendedStart()
      throws IOException {
    Stalling operation = new Stalling();
    try (LoadDriver driver = new LoadDriver(operation, Load.calls(OPERATIONS, 2).openLoop(50))) {
      assertThat(sample(driver).getTotalCount()).isEqualTo(OPERATIONS);
      assertThat(driver.parts()).isEmpty();
      driver.beginArrivals();
      operation.stalls = true;

      Histogram times = sample(driver);

      assertThat(times.getTotalCount()).isEqualTo(OPERATIONS - LEAD_IN);
      // In a closed loop only the two that stall would be slow.
      assertThat(
              times.getCountBetweenValues(
                  TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS / 2), times.getMaxValue()))
          .isGreaterThan(2);
      assertThat(driver.parts()).extracting(Part::name).containsExactly("Rate", "Wake-up delay");
      assertThat(driver.parts().get(0).value()).isBetween(1.0, 1_000.0);
      assertThat(driver.nanos()).isNotEqualTo(driver.elapsedNanos());
    }
  }

  private static Histogram sample(LoadDriver driver) throws IOException {
    driver.prepare();
    driver.run();
    return Objects.requireNonNull(driver.latencies());
  }
}
