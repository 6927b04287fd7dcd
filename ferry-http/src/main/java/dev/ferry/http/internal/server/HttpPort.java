package dev.ferry.http.internal.server;

import dev.ferry.net.ServerPort;
import dev.ferry.net.internal.DiskWorkers;
import dev.ferry.net.internal.Refusals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/** A port of a file server on an {@link HttpServer}. Thread-safe. */
public abstract class HttpPort implements ServerPort {
  private final HttpServer server;
  private final ExecutorService workers;

  /**
   * @param workers read and write files; the server stops them
   */
  protected HttpPort(HttpServer server, ExecutorService workers) {
    this.server = server;
    this.workers = workers;
  }

  @Override
  public final int port() {
    return server.port();
  }

  /** Returns the counts of what was refused to clients of this port. */
  public final Refusals refused() {
    return server.refused();
  }

  @Override
  public final Map<String, Long> refusals() {
    return refused().byName();
  }

  @Override
  public final int queued() {
    return DiskWorkers.queued(workers);
  }

  @Override
  public final List<ScheduledExecutorService> eventLoops() {
    return server.eventLoops();
  }

  @Override
  public void drain() {
    server.drain();
  }

  @Override
  public final boolean awaitRequests(Duration limit) throws InterruptedException {
    return server.awaitRequests(limit);
  }

  @Override
  public final void endRequests() {
    drain();
    server.endRequests();
  }

  /**
   * Stops the server. It accepts no more requests, gives running requests 2 seconds, then closes
   * the remaining connections. Returns when threads and buffers are released, after about 10
   * seconds at most. A second call has no effect.
   */
  @Override
  public final void close() {
    server.close();
  }

  /** Closes all connections immediately. */
  public final void closeNow() {
    server.closeNow();
  }
}
