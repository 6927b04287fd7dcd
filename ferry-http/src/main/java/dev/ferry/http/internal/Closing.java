package dev.ferry.http.internal;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;

/** Closes resources whose close failure cannot be reported to a caller. */
public final class Closing {
  private Closing() {}

  /** Closes a resource. Logs a failure instead of throwing it. */
  public static void quietly(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      // Not a constant: clients that have nothing to log load no provider of SLF4J.
      LoggerFactory.getLogger(Closing.class).warn("cannot clean up: {}", e.getMessage());
    }
  }

  /**
   * Releases something on a worker. If the workers have stopped, this thread does it: the server is
   * closing, and nothing else waits for the thread.
   */
  public static void on(Executor workers, Runnable release) {
    try {
      workers.execute(release);
    } catch (RejectedExecutionException e) {
      release.run();
    }
  }
}
