package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.client.AbstractClientOptionsBuilder;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ResponseTimeoutMode;
import dev.ferry.http.HttpProtocol;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Armeria's clients and servers share: names of protocols, limits, and threads. */
final class ArmeriaSettings {
  /** The most bytes of a gRPC message, which is the default of other implementations. */
  static final int MAX_MESSAGE = 4 * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(ArmeriaSettings.class);
  private static final int CLOSE_SECONDS = 3;
  private static final int IDLE_SECONDS = 10;
  private static final int LOOPS_CLOSE_MILLIS = 5_000;

  /** Handlers on other threads may still be writing; their buffers are then still released. */
  private static final int LOOPS_QUIET_MILLIS = 100;

  private ArmeriaSettings() {}

  /** What Armeria calls a protocol in its URIs; HTTP/2 is by prior knowledge. */
  static String scheme(HttpProtocol protocol) {
    return switch (protocol) {
      case HTTP_1_1 -> "h1c";
      case H2C -> "h2c";
    };
  }

  /**
   * Removes a client's limits of 10 MiB and 15 s on a response, which are not for files: a call has
   * its own deadline.
   */
  static <B extends AbstractClientOptionsBuilder> B withoutLimits(B client) {
    client
        .maxResponseLength(0)
        .responseTimeout(Duration.ZERO)
        .responseTimeoutMode(ResponseTimeoutMode.FROM_START)
        .writeTimeout(Duration.ZERO);
    return client;
  }

  /** The event loops of a client. */
  static EventLoopGroup loops(String name) {
    return loops(name, Runtime.getRuntime().availableProcessors());
  }

  /** The event loop of a server's listening socket. */
  static EventLoopGroup listenerLoop(String name) {
    return loops(name, 1);
  }

  /** Armeria stops them without waiting two seconds for work that will not come. */
  private static EventLoopGroup loops(String name, int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads,
        new DefaultThreadFactory(name, true),
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()) {
      @Override
      public Future<?> shutdownGracefully() {
        return shutdownGracefully(LOOPS_QUIET_MILLIS, LOOPS_CLOSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    };
  }

  /** One thread for each task. After the shutdown, tasks run on the calling thread. */
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

  /** Closes connections, event loops and then the workers. May be called again. */
  static void close(ClientFactory factory, ExecutorService workers) {
    try {
      factory.closeAsync().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the client did not close: {}", e.toString());
    }
    workers.shutdown();
  }
}
