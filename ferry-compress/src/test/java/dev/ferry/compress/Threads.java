package dev.ferry.compress;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Some threads to compress with. */
final class Threads implements CompressionThreads<Exception>, AutoCloseable {
  static final int COUNT = 4;

  private final ExecutorService executor = Executors.newFixedThreadPool(COUNT);

  @Override
  public int threads() {
    return COUNT;
  }

  @Override
  public boolean areBusy() {
    return true;
  }

  @Override
  public void execute(Runnable work) throws Exception {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      throw new Exception("no more work", e);
    }
  }

  /** Waits until all that was accepted is done. */
  @Override
  public void close() throws InterruptedException {
    executor.shutdown();
    if (!executor.awaitTermination(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException("work does not end");
    }
  }
}
