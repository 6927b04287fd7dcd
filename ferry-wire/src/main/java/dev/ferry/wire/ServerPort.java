package dev.ferry.wire;

import dev.ferry.core.FileServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/** One port of a file server, with what is needed to operate it. Thread-safe. */
public interface ServerPort extends FileServer {
  /**
   * Refuses new requests as unavailable, and lets those that run go on. The port stays open, so
   * that clients and health checks get a response. Clients with open connections are told to use no
   * more requests on them. A second call has no effect.
   */
  void drain();

  /**
   * Waits for the requests that run.
   *
   * @return whether none is left
   */
  boolean awaitRequests(Duration limit) throws InterruptedException;

  /**
   * Drains, and ends the requests that run. Their clients get a failure after which they may try
   * again: the status unavailable, or a lost connection if the response has begun over HTTP.
   * Returns before they have ended; {@link #close} waits for them.
   */
  void endRequests();

  /** Returns how often something was refused since the start, by the reason. */
  Map<String, Long> refusals();

  /** Returns the number of tasks that wait for a thread that reads or writes files. */
  int queued();

  /** Returns the event loops. */
  List<ScheduledExecutorService> eventLoops();
}
