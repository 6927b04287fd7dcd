package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.client.ClientFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a client of Armeria's: event loops for sockets, workers for files. */
final class ClientThreads {
  private static final Logger LOG = LoggerFactory.getLogger(ClientThreads.class);
  private static final int CLOSE_SECONDS = 3;
  private static final int IDLE_SECONDS = 10;

  private ClientThreads() {}

  static EventLoopGroup loops(String name) {
    return new QuickLoops(name, Runtime.getRuntime().availableProcessors());
  }

  /** A thread for each task there is. What comes once it was shut down runs where it comes from. */
  static ExecutorService workers(String name) {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        new DefaultThreadFactory(name, true),
        (task, pool) -> task.run());
  }

  /** Closes connections, event loops and, behind them, workers; may be called again. */
  static void close(ClientFactory factory, ExecutorService workers) {
    close(factory);
    workers.shutdown();
  }

  /** Closes connections and event loops; may be called again. */
  static void close(ClientFactory factory) {
    try {
      factory.closeAsync().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the client did not close: {}", e.toString());
    }
  }
}
