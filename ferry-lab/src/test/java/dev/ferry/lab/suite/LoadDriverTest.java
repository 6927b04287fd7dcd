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
  private static final int STALL_MILLIS = 200;

  /** Stalls the first operations of all workers, once. */
  private static final class Stalling implements Operation {
    private volatile boolean stalls;

    @Override
    public void run(int worker, int operation) throws IOException {
      try {
        Thread.sleep(stalls && operation < 2 ? STALL_MILLIS : 1);
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
  void arrivals_duringAStall_countTheirWaitFromTheDueStart() throws IOException {
    Stalling operation = new Stalling();
    try (LoadDriver driver = new LoadDriver(operation, Load.calls(OPERATIONS, 2).arriving(50))) {
      sample(driver);
      operation.stalls = true;
      long closed = slow(sample(driver));
      driver.beginArrivals();
      long open = slow(sample(driver));

      // In a closed loop nobody else waits. At a constant rate a tenth of all arrive meanwhile.
      assertThat(closed).isEqualTo(2);
      assertThat(open).isGreaterThan(OPERATIONS / 10);
      assertThat(driver.parts()).extracting(Part::name).containsExactly("Rate", "Woken late");
      assertThat(driver.parts().get(0).value()).isBetween(1.0, 1_000.0);
      assertThat(driver.nanos())
          .isGreaterThan(open * TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS) / 2);
    }
  }

  private static Histogram sample(LoadDriver driver) throws IOException {
    driver.prepare();
    driver.run();
    return Objects.requireNonNull(driver.latencies());
  }

  /** Returns how many operations took more than half of the stall. */
  private static long slow(Histogram times) {
    return times.getCountBetweenValues(
        TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS / 2), times.getMaxValue());
  }
}
