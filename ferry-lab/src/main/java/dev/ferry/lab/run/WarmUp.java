package dev.ferry.lab.run;

import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Repeats an operation until it runs as fast as it will.
 *
 * <p>On two cores a transfer of 10 ms takes 23 ms while the compiler works beside it, and that
 * takes some rows four seconds and others eight. So a warm-up has no fixed length: after its least
 * time and number of operations it ends with the first second in which little was compiled.
 */
final class WarmUp {
  /**
   * Milliseconds of compilation per second, all compiler threads together, that count as little.
   */
  private static final long LITTLE = 150;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Settings settings;
  private final LongSupplier nanoClock;
  private final CompilationClock compilationMillis;

  /**
   * Prepares a warm-up.
   *
   * @param nanoClock as {@link System#nanoTime}
   * @param compilationMillis time spent compiling so far, by all JVMs of the row
   */
  WarmUp(Settings settings, LongSupplier nanoClock, CompilationClock compilationMillis) {
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.compilationMillis = compilationMillis;
  }

  /** A clock that moves while code is compiled. */
  @FunctionalInterface
  interface CompilationClock {
    /** Milliseconds so far. */
    long millis() throws IOException;
  }

  /** What this JVM has spent compiling, in milliseconds; one without a compiler never moves. */
  static long compiled() {
    CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
    return compilation != null && compilation.isCompilationTimeMonitoringSupported()
        ? compilation.getTotalCompilationTime()
        : 0;
  }

  /** An operation that may fail. */
  @FunctionalInterface
  interface Operation {
    void run() throws IOException;
  }

  /** Runs the operation as often as it takes; gives how often. */
  int run(Operation operation) throws IOException {
    long start = nanoClock.getAsLong();
    long secondStart = start;
    long compiledBefore = compilationMillis.millis();
    boolean steady = false;
    int operations = 0;
    while (true) {
      operation.run();
      operations++;
      long now = nanoClock.getAsLong();
      if (now - secondStart >= SECOND) {
        long compiled = compilationMillis.millis();
        steady = (compiled - compiledBefore) * SECOND < LITTLE * (now - secondStart);
        secondStart = now;
        compiledBefore = compiled;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(now - start);
      boolean enough =
          millis >= settings.warmupMillis() && operations >= settings.warmupOperations();
      boolean most =
          settings.maxWarmupOperations() > 0 && operations >= settings.maxWarmupOperations();
      if (most || (enough && (steady || millis >= settings.maxWarmupMillis()))) {
        return operations;
      }
    }
  }
}
