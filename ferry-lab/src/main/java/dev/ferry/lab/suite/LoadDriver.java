package dev.ferry.lab.suite;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.Operation.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an {@link Operation} according to a load, for rows with files, rows with calls, and
 * ceilings:
 *
 * <ul>
 *   <li>sequentially, on the calling thread;
 *   <li>concurrently, each on its own thread; all together are one operation of the row;
 *   <li>by workers, which share the operations, and each operation is also timed. A worker is
 *       either a thread that waits for its operations or a chain of {@linkplain Operation#start
 *       started} operations, each of which begins on the thread on which the previous one ended;
 *   <li>by workers at a constant rate. Until {@link #beginArrivals} they work without pauses, which
 *       tells their capacity.
 * </ul>
 *
 * <p>Used by one thread.
 */
public final class LoadDriver implements AutoCloseable {
  /** The number of significant digits of a time in a histogram. */
  private static final int DIGITS = 3;

  /**
   * At a constant rate, this part of the operations of a sample is not timed: they arrive while no
   * others wait.
   */
  private static final int LEAD_IN = 10;

  private static final int PATIENCE_SECONDS = 120;
  private static final int END_SECONDS = 10;

  private final Operation operation;
  private final int operations;
  private final boolean atOnce;
  private final @Nullable ThreadPoolExecutor threads;

  /** One histogram per worker; empty unless operations are timed one by one. */
  private final List<Histogram> histograms = new ArrayList<>();

  private final AtomicInteger next = new AtomicInteger();

  /** Null in a closed loop. */
  private final @Nullable OpenLoop openLoop;

  private long nanos;

  /**
   * Takes ownership of the operation and starts the threads.
   *
   * @param load null for one operation
   */
  public LoadDriver(Operation operation, @Nullable Load load) {
    this.operation = operation;
    operations = load == null ? 1 : load.operations() * load.atOnce();
    atOnce = load != null && load.atOnce() > 1;
    openLoop = load == null || !load.isOpenLoop() ? null : new OpenLoop(load.percent());
    int workers = load == null ? 1 : load.workers();
    threads = atOnce ? threads(operations) : workers > 1 ? threads(workers) : null;
    for (int i = 0; workers > 1 && i < workers; i++) {
      histograms.add(new Histogram(DIGITS));
    }
  }

  private static ThreadPoolExecutor threads(int count) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    // The first operation must not include the start of the threads.
    threads.prestartAllCoreThreads();
    return threads;
  }

  /** Prepares a sample and resets the histograms. */
  public void prepare() throws IOException {
    next.set(0);
    histograms.forEach(Histogram::reset);
    operation.prepare();
  }

  /** See {@link Operation#settle}. */
  public void settle() {
    operation.settle();
  }

  /** Runs and times the operations of a sample. */
  public void run() throws IOException {
    long begun = System.nanoTime();
    operate();
    nanos = System.nanoTime() - begun;
    if (openLoop != null && !openLoop.begun()) {
      openLoop.recordClosedLoop(operations, nanos);
    }
  }

  /**
   * Lets operations arrive at the rate of the load from now on, if it has one. Called after the
   * warm-up.
   */
  public void beginArrivals() {
    if (openLoop != null) {
      openLoop.begin();
    }
  }

  private void operate() throws IOException {
    if (threads == null) {
      for (int i = 0; i < operations; i++) {
        operation.run(0, i);
      }
    } else if (atOnce) {
      each(threads, operations, number -> operation.run(number, number));
    } else if (openLoop != null && openLoop.begun()) {
      openLoop.beginSample();
      each(threads, histograms.size(), worker -> workOnArrival(worker, openLoop));
    } else {
      each(threads, histograms.size(), this::work);
    }
  }

  private void workOnArrival(int worker, OpenLoop schedule) throws IOException {
    for (int i = next.getAndIncrement(); i < operations; i = next.getAndIncrement()) {
      long intended = schedule.await(i);
      operation.run(worker, i);
      if (i >= operations / LEAD_IN) {
        histograms.get(worker).recordValue(System.nanoTime() - intended);
      }
    }
  }

  private void work(int worker) throws IOException {
    Histogram histogram = histograms.get(worker);
    for (int i = next.getAndIncrement(); i < operations; i = next.getAndIncrement()) {
      long begun = System.nanoTime();
      CompletableFuture<Void> started = operation.start(worker, i);
      if (started != null) {
        await(chain(worker, begun, started));
        return;
      }
      operation.run(worker, i);
      histogram.recordValue(System.nanoTime() - begun);
    }
  }

  /** Starts the next operation on the thread on which the previous one ends. */
  private CompletableFuture<Void> chain(int worker, long begun, CompletableFuture<Void> running) {
    return running.thenCompose(
        done -> {
          histograms.get(worker).recordValue(System.nanoTime() - begun);
          int i = next.getAndIncrement();
          if (i >= operations) {
            return running;
          }
          long start = System.nanoTime();
          return chain(worker, start, Objects.requireNonNull(operation.start(worker, i)));
        });
  }

  private static void await(CompletableFuture<Void> chain) throws IOException {
    try {
      chain.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw failed(e);
    } catch (TimeoutException e) {
      throw new IOException("an operation does not end", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Returns the outcome of the last sample, see {@link Operation#outcome}. */
  public Outcome outcome() throws IOException {
    return operation.outcome();
  }

  /**
   * Returns the duration of the last sample in nanoseconds; at a constant rate, the sum of the
   * times of its operations.
   */
  public long nanos() {
    return openLoop != null && openLoop.begun()
        ? Math.round(Objects.requireNonNull(latencies()).getMean() * operations)
        : operation.ownNanos().orElse(nanos);
  }

  /**
   * Returns the durations of the operations of the last sample in nanoseconds; null unless workers
   * share them. Valid until the next {@link #prepare}.
   */
  public @Nullable Histogram latencies() {
    if (histograms.isEmpty()) {
      return null;
    }
    Histogram all = new Histogram(DIGITS);
    histograms.forEach(all::add);
    return all;
  }

  /** Returns whether operations run one after another. */
  public boolean isSequential() {
    return threads == null;
  }

  /** Returns the number of operations of a sample; several at once are one. */
  public int operations() {
    return atOnce ? 1 : operations;
  }

  /** Returns how long the operations of the last sample took together, in nanoseconds. */
  public long elapsedNanos() {
    return nanos;
  }

  /** See {@link Operation#parts}; at a constant rate, with the rate. */
  public List<Part> parts() {
    List<Part> parts = operation.parts(operations, nanos());
    if (openLoop == null || !openLoop.begun()) {
      return parts;
    }
    List<Part> all = new ArrayList<>(openLoop.parts(operations));
    all.addAll(parts);
    return all;
  }

  /**
   * Checks every operation of the last sample with as many threads as ran them.
   *
   * @throws IOException if one was wrong, with a one-line description
   */
  public void check() throws IOException {
    if (threads == null) {
      for (int i = 0; i < operations; i++) {
        operation.check(i);
      }
    } else {
      each(threads, operations, operation::check);
    }
    operation.checkAll(operations);
  }

  /** Calls {@link Operation#discard} for every operation. */
  public void discard() throws IOException {
    for (int i = 0; i < operations; i++) {
      operation.discard(i);
    }
  }

  /** A step for each number. */
  @FunctionalInterface
  private interface Step {
    void run(int number) throws IOException;
  }

  /** Waits for all steps. Throws the failure of the lowest number. */
  private static void each(ThreadPoolExecutor threads, int count, Step step) throws IOException {
    List<Callable<Boolean>> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      calls.add(
          () -> {
            step.run(number);
            return true;
          });
    }
    try {
      for (Future<Boolean> future : threads.invokeAll(calls)) {
        boolean unused = future.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : failed(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException failed(ExecutionException e) {
    return new IOException("an operation failed: " + Reason.ofCause(e), e);
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException("interrupted while operations ran", e);
  }

  /** Closes the operation, which ends the waits of its threads, and then the threads. */
  @Override
  public void close() throws IOException {
    try {
      operation.close();
    } finally {
      if (threads != null) {
        end(threads);
      }
    }
  }

  private static void end(ThreadPoolExecutor threads) {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("operations do not end when their connections are closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
