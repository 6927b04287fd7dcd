package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.StallWatch;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call of a carrier. A deadline, an interrupt or the closing of the carrier can end the call
 * while it waits.
 */
public final class Call implements Closeable {
  /** The message of a {@link ProtocolException} for a response that does not begin like one. */
  public static final String NOT_HTTP = "not a status line of HTTP/1.1";

  private final CallReport report;
  private final Set<Call> running;
  private final @Nullable ScheduledFuture<?> timer;

  private @Nullable FerryException stopped;
  private @Nullable Closeable body;

  /**
   * Begins a call. Stall detection starts with {@link #expect}.
   *
   * @param report the known state of the call
   * @param timeout the limit for the whole call; null means no limit
   * @param running the calls to stop when the carrier is closed
   */
  public Call(
      CallReport report,
      @Nullable Duration timeout,
      ScheduledExecutorService timers,
      StallTimer lookout,
      Set<Call> running)
      throws FerryException {
    this.report = report;
    this.running = running;
    StallWatch watch = report.watch();
    watch.pause();
    running.add(this);
    try {
      this.timer =
          timeout == null
              ? null
              : timers.schedule(
                  () -> stop(report.overdue(null)), timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (watch.limited()) {
        lookout.every(watch.interval());
      }
    } catch (RejectedExecutionException e) {
      running.remove(this);
      throw new FerryException(ErrorKind.UNAVAILABLE, report.name() + ": the client is closed", e);
    }
  }

  /** Starts stall detection: the server must now read the request and respond. */
  public void expect() {
    report.watch().expect();
  }

  /** Returns the known state of the call. */
  public CallReport report() {
    return report;
  }

  /** Reports progress: bytes have arrived that are not written to a file yet. */
  public void moved() {
    report.watch().moved();
  }

  /** Ends the call if it has stalled. */
  public void look(long since) {
    if (report.watch().look(since)) {
      stop(report.stalled());
    }
  }

  /** Ends the call because its carrier is closed. */
  public void stop() {
    stop(new FerryException(ErrorKind.CANCELLED, report.name() + ": the client was closed"));
  }

  /** Ends the call from another thread. The waiting thread gets the failure. */
  private void stop(FerryException why) {
    synchronized (this) {
      if (stopped == null) {
        stopped = why;
      }
    }
    report.endPauses();
    Closeable read;
    synchronized (this) {
      read = body;
    }
    if (read != null) {
      Closing.quietly(read);
    }
  }

  /**
   * Registers a resource to close if the call is ended from outside. If the call has already ended,
   * closes the resource immediately.
   */
  public void during(Closeable step) throws FerryException {
    synchronized (this) {
      body = step;
      if (stopped != null) {
        Closing.quietly(step);
      }
      throwIfStopped();
    }
  }

  private synchronized void throwIfStopped() throws FerryException {
    if (stopped != null) {
      throw stopped;
    }
  }

  /** Throws if the call was stopped or its thread was interrupted. */
  public void check() throws FerryException {
    throwIfStopped();
    if (Thread.currentThread().isInterrupted()) {
      throw cancelled(null);
    }
  }

  /** Computes a digest of the file of this call unless the call is stopped meanwhile. */
  public Digest digest(FileSource file, Digest.Algorithm algorithm) throws FerryException {
    try {
      Digest digest = file.digest(algorithm);
      check();
      return digest;
    } catch (FerryException e) {
      throw failure(e, e.kind());
    }
  }

  /**
   * Converts a failure to an exception. If the call was ended from outside, returns that cause
   * instead.
   */
  public FerryException failure(Throwable failure, ErrorKind otherwise) {
    synchronized (this) {
      if (stopped != null) {
        return stopped;
      }
    }
    if (Thread.currentThread().isInterrupted()) {
      return cancelled(failure);
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof ClosedByInterruptException) {
        // Restores the interrupt status, because the client may have cleared it.
        Thread.currentThread().interrupt();
        return cancelled(failure);
      }
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException ferry) {
        return ferry;
      }
    }
    return otherwise == ErrorKind.UNAVAILABLE
        ? noResponse(failure)
        : report.failedConnection(otherwise, failure);
  }

  private FerryException noResponse(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof OtherProtocolException other) {
        return report.foreign(other.peer(), failure);
      }
      if (t instanceof ProtocolException) {
        String what =
            NOT_HTTP.equals(t.getMessage())
                ? "does not speak HTTP"
                : "breaks HTTP: %.200s".formatted(t.getMessage());
        return report.foreign(ErrorKind.UNAVAILABLE, what, failure);
      }
    }
    return report.failedConnection(ErrorKind.UNAVAILABLE, failure);
  }

  private FerryException cancelled(@Nullable Throwable cause) {
    return new FerryException(ErrorKind.CANCELLED, report.name() + ": cancelled", cause);
  }

  @Override
  public void close() {
    running.remove(this);
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** Reads a body to its end so that the connection can be reused. */
  public static void drain(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }
}
