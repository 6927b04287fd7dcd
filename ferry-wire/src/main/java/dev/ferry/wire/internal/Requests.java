package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.SystemError;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one port that run. Reports each of them to the listener, and refuses new ones
 * when the port drains. Thread-safe.
 */
public final class Requests {
  /** The field with the trace of the client, in HTTP and in the metadata of gRPC. */
  public static final String TRACE_PARENT = "traceparent";

  /** The time after which a client may ask again, perhaps another server. */
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /** W3C Trace Context, section 3.2.2, without what later versions may add. */
  private static final Pattern TRACE =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

  private final RequestListener listener;
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean draining;
  private volatile boolean ending;

  public Requests(RequestListener listener) {
    this.listener = listener;
  }

  /**
   * Reports the beginning of a request. The caller has to end what it gets.
   *
   * @param traceParent the field {@value #TRACE_PARENT} as the client sent it
   */
  public RunningRequest begin(
      ServedRequest.CarrierName carrier,
      ServedRequest.Operation operation,
      @Nullable SocketAddress peer,
      @Nullable String traceParent) {
    String trace = traceParent != null && TRACE.matcher(traceParent).matches() ? traceParent : null;
    ServedRequest request = new ServedRequest(carrier, operation, peer, trace);
    running.incrementAndGet();
    listener.began(request);
    return new RunningRequest(this, listener, request);
  }

  /** Called by each request once. */
  void ended() {
    if (running.decrementAndGet() == 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Makes the port refuse new requests. */
  public void drain() {
    draining = true;
  }

  /** Returns whether new requests have to be refused. */
  public boolean areRefused() {
    return draining;
  }

  /** Returns the error for a request that is refused, or ended, because the server stops. */
  public static FerryException stopping() {
    return new FerryException(
            ErrorKind.UNAVAILABLE, "the server is shutting down; try again in a moment")
        .withRetryAfter(RETRY_AFTER);
  }

  /**
   * Returns what a client is told of a failure. A failure of the server is logged, and told without
   * details unless it was expected. That the server has no file descriptor left may be over soon.
   */
  public static FerryException told(Throwable failure) {
    if (SystemError.TOO_MANY_FILES.isCauseOf(failure)) {
      LOG.warn("request refused: {}", SystemError.RAISE_LIMIT);
      return new FerryException(
              ErrorKind.UNAVAILABLE, "the server has too many open files; try again", failure)
          .withRetryAfter(RETRY_AFTER);
    }
    FerryException told =
        failure instanceof FerryException ferry
            ? ferry
            : failure instanceof RejectedExecutionException
                ? new FerryException(ErrorKind.UNAVAILABLE, "the server is closing; try again")
                : new FerryException(ErrorKind.INTERNAL, "internal error", failure);
    if (told.kind() == ErrorKind.INTERNAL) {
      LOG.warn("request failed", failure);
    }
    return told;
  }

  /** Records that the server ends the requests that run. */
  public void end() {
    draining = true;
    ending = true;
  }

  /** Returns the error of a request whose transport ended it. */
  ErrorKind cutBy() {
    return ending ? ErrorKind.UNAVAILABLE : ErrorKind.CANCELLED;
  }

  /** Waits until no request runs. Returns whether none does. */
  public synchronized boolean await(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (running.get() > 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
