package dev.ferry.lab.run;

import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Repeats an operation until it reaches its final speed.
 *
 * <p>An operation that keeps all processors busy starves the compiler: little is compiled while it
 * runs, although the compiler's queue is full. Therefore the operations run in short bursts, and
 * after each burst comes a pause that lasts until the compiler has nothing to do. A burst is steady
 * if it, together with its pause, made the compiler work next to nothing, and if its operations
 * were not faster than all before. After the minimum time and number of operations, the warm-up
 * ends with the second steady burst in a row: on a slow machine, code that is used often enough to
 * be compiled comes late, after bursts in which nothing was compiled.
 *
 * @param most how long it may take, in nanoseconds from its start
 * @param leastOperations it takes so many operations in any case, or those of the settings if they
 *     are fewer
 * @param nanoClock a clock such as {@link System#nanoTime}
 * @param compiler the work of the compilers of all JVMs of the row
 */
record WarmUp(
    Settings settings,
    LongSupplier most,
    int leastOperations,
    LongSupplier nanoClock,
    CompilerClock compiler,
    Sleep sleep) {
  /** The minimum duration of a burst. A pause after each short operation would take longer. */
  private static final long BURST = TimeUnit.MILLISECONDS.toNanos(150);

  /** The time between two looks at the compiler. Its account is up to 4 ms late. */
  private static final long LOOK_MILLIS = 15;

  /**
   * The upper limit of a pause. The largest compilations of gRPC and Netty take 1.4 s beside a
   * transfer, and less on a processor of their own.
   */
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

  /** The compiler stands still if it worked for less than this between two looks. */
  private static final long STILL = TimeUnit.MILLISECONDS.toNanos(1);

  /** The upper limit for "next to nothing", in thousandths of the burst's duration. */
  private static final long LITTLE_PER_MILLE = 80;

  /** A burst is faster than another if its operations take this part of the time at most. */
  private static final double FASTER = 0.95;

  /** The warm-up ends with so many steady bursts in a row. */
  private static final int STEADY_BURSTS = 2;

  /** A clock that advances only while the compiler works. */
  @FunctionalInterface
  interface CompilerClock {
    /** Returns the nanoseconds so far. */
    long nanos() throws IOException;
  }

  /** Waits like {@link Thread#sleep(long)}. */
  @FunctionalInterface
  interface Sleep {
    void millis(long millis) throws InterruptedException;
  }

  /** An operation that may fail. */
  @FunctionalInterface
  interface TimedOperation {
    /** Returns the nanoseconds of its timed parts, one for each subject. */
    long[] run() throws IOException;
  }

  /** Runs the operation until the warm-up ends. Returns the number of operations. */
  int run(TimedOperation operation) throws IOException {
    long start = nanoClock.getAsLong();
    int operations = 0;
    int steady = 0;
    double[] best = {};
    while (true) {
      long compiledBefore = compiler.nanos();
      long burstStart = nanoClock.getAsLong();
      List<long[]> timed = new ArrayList<>();
      long now;
      do {
        timed.add(operation.run());
        operations++;
        now = nanoClock.getAsLong();
      } while (now - burstStart < BURST && now - start < most.getAsLong() && !isMost(operations));
      awaitCompiler(Math.min(PAUSE, most.getAsLong() - (now - start)));
      long compiled = compiler.nanos() - compiledBefore;
      double[] means = means(timed);
      boolean still = compiled * 1000 <= LITTLE_PER_MILLE * (now - burstStart);
      steady = still && !isFaster(means, best) ? steady + 1 : 0;
      best = least(means, best);
      long nanos = nanoClock.getAsLong() - start;
      boolean enough =
          nanos >= TimeUnit.MILLISECONDS.toNanos(settings.warmupMillis())
              && operations >= settings.warmupOperations();
      boolean over =
          nanos >= most.getAsLong()
              && operations >= Math.min(leastOperations, settings.warmupOperations());
      if (isMost(operations) || over || (enough && steady >= STEADY_BURSTS)) {
        return operations;
      }
    }
  }

  private static double[] means(List<long[]> operations) {
    double[] means = new double[operations.get(0).length];
    for (long[] operation : operations) {
      for (int i = 0; i < means.length; i++) {
        means[i] += (double) operation[i] / operations.size();
      }
    }
    return means;
  }

  private static boolean isFaster(double[] means, double[] best) {
    for (int i = 0; i < best.length; i++) {
      if (means[i] < best[i] * FASTER) {
        return true;
      }
    }
    // Nothing was before the first burst.
    return best.length == 0;
  }

  private static double[] least(double[] means, double[] best) {
    double[] least = means.clone();
    for (int i = 0; i < best.length; i++) {
      least[i] = Math.min(means[i], best[i]);
    }
    return least;
  }

  private boolean isMost(int operations) {
    return settings.maxWarmupOperations() > 0 && operations >= settings.maxWarmupOperations();
  }

  /**
   * Waits before a sample until the compiler has nothing to do, so that compiling the code of
   * meters and checks does not disturb it.
   */
  void awaitCompiler() throws IOException {
    awaitCompiler(Math.min(PAUSE, TimeUnit.MILLISECONDS.toNanos(settings.maxWarmupMillis())));
  }

  private void awaitCompiler(long limitNanos) throws IOException {
    long start = nanoClock.getAsLong();
    long before = compiler.nanos();
    boolean still = false;
    while (!still && nanoClock.getAsLong() - start < limitNanos) {
      try {
        sleep.millis(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while the compiler worked");
      }
      long now = compiler.nanos();
      still = now - before < STILL;
      before = now;
    }
  }
}
