package dev.ferry.net.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.RateLimit;
import dev.ferry.net.Admission;
import dev.ferry.net.EndedRequest;
import dev.ferry.net.RequestListener;
import dev.ferry.net.ServedRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A request that runs, with what is learned of it meanwhile. Thread-safe. */
public final class RunningRequest {
  private static final Runnable NOTHING = () -> {};

  private final Requests all;
  private final RequestListener listener;
  private final ServedRequest request;
  private final long began = System.nanoTime();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicReference<Runnable> whenEnded = new AtomicReference<>(NOTHING);
  private volatile @Nullable String caller;
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
  }

  /** Sets what its caller may do, and what is run once when it has ended, or at once if it has. */
  void admitted(Admission admission) {
    rateLimit = admission.rateLimit();
    whenEnded.set(admission.ended());
    if (over.get()) {
      runTask();
    }
  }

  private void runTask() {
    whenEnded.getAndSet(NOTHING).run();
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
    if (over.compareAndSet(false, true)) {
      Duration duration = Duration.ofNanos(System.nanoTime() - began);
      try {
        listener.ended(new EndedRequest(request, caller, path, target, bytes, duration, error));
      } finally {
        runTask();
        all.ended();
      }
    }
  }

  /** Reports that the client, or the end of the server, cut the request. */
  public void cut() {
    end(all.cutBy());
  }
}
