package dev.ferry.cli.operate;

import dev.ferry.core.internal.Amounts;
import dev.ferry.wire.ServerPort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The orderly end of a server: it refuses new requests, waits for those that run, and ends those
 * that take too long. Thread-safe.
 */
public final class Drain {
  private final Duration limit;
  private final CountDownLatch requested = new CountDownLatch(1);

  /**
   * @param limit how long to wait for requests
   */
  Drain(Duration limit) {
    this.limit = limit;
  }

  /** Requests the end. A second call has no effect. */
  public void request() {
    requested.countDown();
  }

  /** Returns whether the end was requested. */
  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /**
   * Waits until the end is requested, and then for the requests that run; ends those that take too
   * long. An interrupt ends the wait, and the requests if the server drains. The caller closes the
   * ports.
   *
   * @param says takes the lines that say what is waited for
   */
  public void await(List<ServerPort> ports, Consumer<String> says) {
    try {
      requested.await();
      ports.forEach(ServerPort::drain);
      if (!awaitRequests(ports, Duration.ZERO) && !limit.isZero()) {
        says.accept(
            "draining: waiting up to "
                + Amounts.time(limit)
                + " for running requests; a second signal ends them");
      }
      if (!awaitRequests(ports, limit)) {
        says.accept("ended the requests that were still running");
      }
    } catch (InterruptedException e) {
      // Ctrl-C, or the second signal.
    }
    if (isRequested()) {
      ports.forEach(ServerPort::endRequests);
    }
  }

  private static boolean awaitRequests(List<ServerPort> ports, Duration limit)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    boolean done = true;
    for (ServerPort port : ports) {
      done &= port.awaitRequests(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
    return done;
  }
}
