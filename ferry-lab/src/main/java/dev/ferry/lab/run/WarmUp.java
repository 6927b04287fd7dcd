package dev.ferry.lab.run;

import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Repeats an operation until it reaches its final speed.
 *
 * <p>On two cores a transfer of 10 ms takes 23 ms while the compiler runs. This phase takes four
 * seconds for some rows and eight for others. Therefore the duration of a warm-up is not fixed:
 * after the minimum time and number of operations, it ends with the first second in which little
 * was compiled.
 */
final class WarmUp {
  /**
   * The upper limit for "little": milliseconds of compilation per second, for all compiler threads
   * together.
   */
  private static final long LITTLE = 150;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Settings settings;
  private final LongSupplier nanoClock;
  private final CompilationClock compilationMillis;

  /**
   * Prepares a warm-up.
   *
   * @param nanoClock a clock such as {@link System#nanoTime}
   * @param compilationMillis the time spent on compilation so far, for all JVMs of the row
   */
  WarmUp(Settings settings, LongSupplier nanoClock, CompilationClock compilationMillis) {
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.compilationMillis = compilationMillis;
  }

  /** A clock that advances only while code is compiled. */
  @FunctionalInterface
  interface CompilationClock {
    /** Returns the milliseconds so far. */
    long millis() throws IOException;
  }

  /**
   * Returns the milliseconds that this JVM has spent on compilation. The value is constant for a
   * JVM without a compiler.
   */
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

  /** Runs the operation until the warm-up ends. Returns the number of operations. */
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
