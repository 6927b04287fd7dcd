package dev.ferry.load;

import dev.ferry.core.internal.DaemonThreads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts the operations of a worker when they arrive, whether or not earlier ones have ended (open
 * loop). One thread paces; operations that block run on threads that are used again. No more than
 * {@link Plan#inFlight} run at a time. Arrivals beyond that wait; their latency counts from the
 * intended start all the same. Used once.
 */
final class Driver {
  /** How long the last operations may take after the last arrival. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How long interrupted operations may take to end. */
  private static final long END_SECONDS = 5;

  private static final long IDLE_SECONDS = 10;

  /** A thread wakes about this late after it was parked, so it parks for less. */
  private static final long MAX_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(60);

  /** The largest part of a processor that the pacing thread may spin. */
  private static final double SPIN_SHARE = 0.1;

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Plan plan;
  private final int worker;
  private final List<LoadOperation> operations;
  private final LoadRecorder recorder;
  private final Semaphore free;
  private final long spinNanos;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DaemonThreads("ferry-load"));

  /**
   * @param worker from 1 to the number of workers
   * @param operations those of the mix, in its order
   */
  Driver(Plan plan, int worker, List<LoadOperation> operations, LoadRecorder recorder) {
    this.plan = plan;
    this.worker = worker;
    this.operations = operations;
    this.recorder = recorder;
    this.free = new Semaphore(plan.inFlight());
    this.spinNanos =
        Math.min(MAX_SPIN_NANOS, Math.round(SPIN_SHARE * NANOS_PER_SECOND / plan.workerRate()));
  }

  /**
   * Starts all operations, and waits for them to end.
   *
   * @param begin the beginning of the load on the clock of {@link System#nanoTime}
   * @throws InterruptedException if the thread was interrupted; running operations are then
   *     interrupted, too
   */
  void run(long begin) throws InterruptedException {
    double lastNanos = (plan.warmUpSeconds() + plan.seconds()) * NANOS_PER_SECOND;
    long deadline = begin + (long) lastNanos + DRAIN_NANOS;
    try {
      startAll(begin, deadline);
      if (!free.tryAcquire(plan.inFlight(), deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        threads.shutdownNow();
        boolean unused = free.tryAcquire(plan.inFlight(), END_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void startAll(long begin, long deadline) throws InterruptedException {
    Arrivals arrivals = new Arrivals(plan, worker);
    long waitedUntil = begin - 1;
    while (arrivals.hasNext()) {
      Arrival arrival = arrivals.next();
      long intended = begin + arrival.atNanos();
      pause(intended);
      recorder.arrived(arrival);
      if (!free.tryAcquire()) {
        if (!free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          recorder.notStarted(arrival);
          arrivals.forEachRemaining(
              left -> {
                recorder.arrived(left);
                recorder.notStarted(left);
              });
          return;
        }
        waitedUntil = System.nanoTime();
      }
      recorder.inFlight(plan.inFlight() - free.availablePermits());
      boolean waited = intended - waitedUntil <= 0;
      if (operations.get(arrival.operation()).blocks()) {
        threads.execute(() -> start(arrival, intended, waited));
      } else {
        start(arrival, intended, waited);
      }
    }
  }

  private void start(Arrival arrival, long intended, boolean waited) {
    recorder.started(arrival, System.nanoTime() - intended, waited);
    CompletionStage<?> running;
    try {
      running = operations.get(arrival.operation()).start(arrival);
    } catch (RuntimeException e) {
      running = CompletableFuture.failedStage(e);
    }
    CompletionStage<?> unused =
        running.whenComplete(
            (done, failure) -> {
              recorder.ended(arrival, System.nanoTime() - intended, failure);
              free.release();
            });
  }

  private void pause(long until) throws InterruptedException {
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while the load ran");
      }
      if (left > spinNanos) {
        LockSupport.parkNanos(left - spinNanos);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
