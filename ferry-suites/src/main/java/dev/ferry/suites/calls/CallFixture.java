package dev.ferry.suites.calls;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.AtOnce;
import dev.ferry.lab.suite.Fixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of a sample, one after the other or by workers that share them, and times each
 * where there are workers. A worker is a thread that waits for its calls, or, where the task
 * answers later, a chain of calls each of which begins where the one before it ends.
 */
final class CallFixture implements Fixture {
  /** Digits that a histogram keeps of a time. */
  private static final int DIGITS = 3;

  private static final int PATIENCE_SECONDS = 120;

  private final Task task;
  private final int operations;
  private final Outcome outcome;
  private final List<Histogram> histograms = new ArrayList<>();
  private final @Nullable AtOnce threads;
  private final AtomicInteger next = new AtomicInteger();
  private long nanos;

  /** What a row does; its operations are numbered from 0 in each sample. */
  interface Task extends AutoCloseable {
    /** Something that is done before each sample, and not timed. */
    default void prepare() throws IOException {}

    /** As {@link Fixture#settle}. */
    default void settle() {}

    /**
     * Does an operation.
     *
     * @param worker who does it, from 0; one operation at a time each
     */
    void run(int worker, int operation) throws IOException;

    /**
     * Does an operation without waiting for it.
     *
     * @return when it is done; null where the task only has {@link #run}
     */
    default @Nullable CompletableFuture<Void> later(int worker, int operation) {
      return null;
    }

    /**
     * Looks whether all operations of the sample were right.
     *
     * @throws IOException where one was not, with a line that says how
     */
    void check(int operations) throws IOException;

    /**
     * What else is to be told of the last sample's operations, as means.
     *
     * @param nanos what they took together
     */
    default List<Part> parts(int operations, long nanos) {
      return List.of();
    }

    @Override
    void close();
  }

  /** Takes over the task, and closes it. */
  CallFixture(Task task, Load load, String protocol) {
    this.task = task;
    this.operations = load.operations();
    this.outcome = new Outcome(load.operationBytes(), load.operationBytes(), protocol, "identity");
    this.threads = load.workers() > 1 ? new AtOnce(load.workers()) : null;
    for (int i = 0; i < load.workers(); i++) {
      histograms.add(new Histogram(DIGITS));
    }
  }

  @Override
  public void prepare() throws IOException {
    next.set(0);
    histograms.forEach(Histogram::reset);
    task.prepare();
  }

  @Override
  public void settle() {
    task.settle();
  }

  @Override
  public Outcome run() throws IOException {
    long begun = System.nanoTime();
    operate();
    nanos = System.nanoTime() - begun;
    return outcome;
  }

  private void operate() throws IOException {
    if (threads == null) {
      for (int i = 0; i < operations; i++) {
        task.run(0, i);
      }
    } else {
      threads.each(histograms.size(), this::work);
    }
  }

  private void work(int worker) throws IOException {
    Histogram histogram = histograms.get(worker);
    for (int i = next.getAndIncrement(); i < operations; i = next.getAndIncrement()) {
      long begun = System.nanoTime();
      CompletableFuture<Void> later = task.later(worker, i);
      if (later != null) {
        await(chain(worker, begun, later));
        return;
      }
      task.run(worker, i);
      histogram.recordValue(System.nanoTime() - begun);
    }
  }

  /** Goes on with the next operation on whichever thread the one before it ends. */
  private CompletableFuture<Void> chain(int worker, long begun, CompletableFuture<Void> running) {
    return running.thenCompose(
        done -> {
          histograms.get(worker).recordValue(System.nanoTime() - begun);
          int i = next.getAndIncrement();
          if (i >= operations) {
            return running;
          }
          long start = System.nanoTime();
          return chain(worker, start, Objects.requireNonNull(task.later(worker, i)));
        });
  }

  private static void await(CompletableFuture<Void> chain) throws IOException {
    try {
      chain.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("an operation failed: " + Reason.ofCause(e), e);
    } catch (TimeoutException e) {
      throw new IOException("an operation does not end", e);
    } catch (InterruptedException e) {
      throw Clients.interrupted(e);
    }
  }

  @Override
  public @Nullable Histogram latencies() {
    if (threads == null) {
      return null;
    }
    Histogram all = new Histogram(DIGITS);
    histograms.forEach(all::add);
    return all;
  }

  @Override
  public List<Part> parts() {
    return task.parts(operations, nanos);
  }

  @Override
  public void check() throws IOException {
    task.check(operations);
  }

  @Override
  public void discard() {
    // Nothing is kept.
  }

  @Override
  public void close() {
    task.close();
    if (threads != null) {
      threads.close();
    }
  }
}
