package dev.ferry.lab.suite;

import dev.ferry.lab.model.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for the transfers of one sample at the same time: started before the first of them, and
 * set to work by one call. Rows and their ceilings share it, so that both pay the same for it. Used
 * by one thread.
 */
public final class AtOnce implements AutoCloseable {
  private static final int END_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  /** Starts the threads, at least one. */
  public AtOnce(int count) {
    threads =
        new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    // Their start is no part of the first operation.
    threads.prestartAllCoreThreads();
  }

  /** Something to do with the transfer of a number. */
  @FunctionalInterface
  public interface Step<T> {
    /** Does it; numbers begin at 0. */
    T apply(int number) throws IOException;
  }

  /** A {@link Step} that gives nothing. */
  @FunctionalInterface
  public interface Action {
    /** Does it; numbers begin at 0. */
    void accept(int number) throws IOException;
  }

  /** As {@link #run}, where there is nothing to give. */
  public void each(int count, Action action) throws IOException {
    List<Integer> unused =
        run(
            count,
            number -> {
              action.accept(number);
              return number;
            });
  }

  /**
   * Does a step for each number below the count, and waits for all of them.
   *
   * @return what they gave, by number
   * @throws IOException where one failed, with the reason of the first by number
   */
  public <T> List<T> run(int count, Step<T> step) throws IOException {
    List<Callable<T>> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      calls.add(() -> step.apply(number));
    }
    try {
      List<T> results = new ArrayList<>(count);
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("a transfer failed: " + Reason.ofCause(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while transfers ran", e);
    }
  }

  /** Ends the threads; what their transfers use is closed before. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("transfers do not end when their connections are closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
