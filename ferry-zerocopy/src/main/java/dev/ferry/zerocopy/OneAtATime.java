package dev.ferry.zerocopy;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that many threads ask for, of which one at a time does it, for instance to send what can be
 * sent. If it is asked for while it runs, the thread that runs it runs it again. Thread-safe.
 */
public final class OneAtATime implements Runnable {
  private final Executor executor;
  private final Runnable work;
  private final Runnable turn = this::work;
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * Creates work that the thread does that asks for it first.
   *
   * @param work must not throw
   */
  public OneAtATime(Runnable work) {
    this(Runnable::run, work);
  }

  /**
   * Creates work for an executor.
   *
   * @param work must not throw
   */
  public OneAtATime(Executor executor, Runnable work) {
    this.executor = executor;
    this.work = work;
  }

  /**
   * Asks for the work.
   *
   * @throws RejectedExecutionException if the executor throws it; the work then never runs again
   */
  @Override
  public void run() {
    if (asked.getAndIncrement() == 0) {
      executor.execute(turn);
    }
  }

  private void work() {
    int seen = 1;
    do {
      work.run();
      seen = asked.addAndGet(-seen);
    } while (seen != 0);
  }
}
