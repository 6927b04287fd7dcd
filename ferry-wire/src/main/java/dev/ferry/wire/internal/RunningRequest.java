package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.RateLimit;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.wire.Admission;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A request that runs, with what is learned of it meanwhile. Thread-safe. */
public final class RunningRequest {
  private static final Runnable NOTHING = Admission.FREE.ended();

  private final Requests all;
  private final RequestListener listener;
  private final ServedRequest request;
  private final long began = System.nanoTime();
  private final AtomicBoolean over = new AtomicBoolean();

  /** The request itself until it is over, and the tasks that work for it. */
  private final AtomicInteger holders = new AtomicInteger(1);

  private final AtomicReference<Runnable> whenEnded = new AtomicReference<>(NOTHING);
  private volatile @Nullable String caller;
  private volatile @Nullable String holder;
  private volatile @Nullable String path;
  private volatile @Nullable String target;
  private volatile long bytes;
  private volatile @Nullable RateLimit rateLimit;

  RunningRequest(Requests all, RequestListener listener, ServedRequest request) {
    this.all = all;
    this.listener = listener;
    this.request = request;
  }

  /** Sets the name of the caller. */
  public void caller(String name) {
    caller = name;
    holder = CallerShares.ofUser(name);
  }

  /** Returns the other end of its connection; null if it is not known. */
  public @Nullable SocketAddress peer() {
    return request.peer();
  }

  /**
   * Returns whose {@linkplain CallerShares share} the request uses. The caller is known by then.
   */
  public String holder() {
    String known = holder;
    if (known == null) {
      known = holderAt(request.peer());
      holder = known;
    }
    return known;
  }

  /** Returns whose share a request of an unknown caller uses. */
  public static String holderAt(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress inet && !inet.isUnresolved()
        ? CallerShares.of(inet.getAddress())
        : CallerShares.NOBODY;
  }

  /** Returns the name of the caller; null if it has none. */
  public @Nullable String caller() {
    return caller;
  }

  /**
   * Sets what its caller may do, and what is run once: when the request has its response, or if it
   * was cut, when all work for it has ended. It is run at once if that is so.
   */
  void admitted(Admission admission) {
    rateLimit = admission.rateLimit();
    whenEnded.set(admission.ended());
    if (holders.get() == 0) {
      runTask();
    }
  }

  /**
   * Returns an executor whose tasks are work for this request, which may go on after its end. It is
   * the same one if nobody asks for the end of the work.
   */
  public Executor working(Executor executor) {
    return whenEnded.get() == NOTHING ? executor : task -> work(executor, task);
  }

  private void work(Executor executor, Runnable task) {
    holders.incrementAndGet();
    boolean taken = false;
    try {
      executor.execute(
          () -> {
            try {
              task.run();
            } finally {
              release();
            }
          });
      taken = true;
    } finally {
      if (!taken) {
        release();
      }
    }
  }

  private void release() {
    if (holders.decrementAndGet() == 0) {
      runTask();
    }
  }

  private void runTask() {
    whenEnded.getAndSet(NOTHING).run();
  }

  /**
   * Records that the response is on its way. The client may have it before {@link #end} is called,
   * so the request no longer counts among those of its user.
   */
  public void responded() {
    runTask();
  }

  /** Sets the path, as the client sent it or as it was understood. */
  public void path(String value) {
    path = value;
  }

  /** Sets the path that a move leads to. */
  public void target(String value) {
    target = value;
  }

  /** Sets the number of bytes that have passed so far. One write for many bytes is enough. */
  public void bytes(long total) {
    bytes = total;
  }

  /** Returns the number of bytes that have passed so far. */
  public long bytes() {
    return bytes;
  }

  /** Returns the limit of these bytes; null for none. */
  public @Nullable RateLimit rateLimit() {
    return rateLimit;
  }

  /**
   * Reports the end. A second call has no effect.
   *
   * @param error why the request failed; null if it succeeded
   */
  public void end(@Nullable ErrorKind error) {
    // The client may send the next request now, whatever the last worker still has to do.
    end(error, true);
  }

  private void end(@Nullable ErrorKind error, boolean responded) {
    if (over.compareAndSet(false, true)) {
      Duration duration = Duration.ofNanos(System.nanoTime() - began);
      try {
        listener.ended(new EndedRequest(request, caller, path, target, bytes, duration, error));
      } finally {
        if (responded) {
          runTask();
        }
        release();
        all.ended();
      }
    }
  }

  /** Reports that the client, or the end of the server, cut the request. */
  public void cut() {
    end(all.cutBy(), false);
  }
}
