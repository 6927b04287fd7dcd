package dev.ferry.http.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.StallWatch;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One call of a carrier, which a deadline, an interrupt or the carrier's closing can end wherever
 * it waits: the timeouts of clients end with the head of the response, or begin anew with each
 * read.
 */
public final class Call implements Closeable {
  /** What clients say of a head that is no HTTP. */
  private static final Pattern NO_HTTP =
      Pattern.compile("[Ss]tatus[ _][Ll]ine|frame_size_error|BadMessage|ProtocolException");

  private final CallReport report;
  private final Set<Call> running;
  private final @Nullable ScheduledFuture<?> timer;

  private @Nullable FerryException stopped;
  private @Nullable CompletableFuture<?> exchange;
  private @Nullable Closeable body;

  /**
   * Begins a call.
   *
   * @param report what is known of it; nothing is due before {@link #expect}
   * @param timeout for all of it; null means any
   * @param running calls that are to be stopped with their carrier
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
      throw new FerryException(ErrorKind.UNAVAILABLE, report.name() + ": the carrier is closed", e);
    }
  }

  /** From now on the server owes an answer, and is to take what the request sends. */
  public void expect() {
    report.watch().expect();
  }

  /** What is known of the call. */
  public CallReport report() {
    return report;
  }

  /** Bytes have come that no file has yet. */
  public void moved() {
    report.watch().moved();
  }

  /** Ends the call where it has been silent for too long. */
  public void look(long since) {
    if (report.watch().look(since)) {
      stop(report.stalled());
    }
  }

  /** Ends the call as its carrier is closed. */
  public void stop() {
    stop(new FerryException(ErrorKind.CANCELLED, report.name() + ": the carrier was closed"));
  }

  /** Ends the call from outside; whoever waits for it hears why. */
  private void stop(FerryException why) {
    synchronized (this) {
      if (stopped == null) {
        stopped = why;
      }
    }
    endStep();
  }

  private void endStep() {
    CompletableFuture<?> sent;
    Closeable read;
    synchronized (this) {
      sent = exchange;
      read = body;
    }
    if (sent != null) {
      sent.cancel(true);
    }
    if (read != null) {
      Closing.quietly(read);
    }
  }

  /** From now on an end from outside closes this, too; at once where the call has ended already. */
  public void during(Closeable step) throws FerryException {
    synchronized (this) {
      body = step;
      if (stopped != null) {
        Closing.quietly(step);
      }
      throwIfStopped();
    }
  }

  /**
   * Waits for what a client does on threads of its own; an interrupt or an end from outside cancels
   * it, and closes what {@link #during} was told of.
   *
   * @param start begins it; not called where the call has ended already
   */
  public <T> T await(Supplier<CompletableFuture<T>> start) throws FerryException {
    try {
      CompletableFuture<T> begun;
      synchronized (this) {
        throwIfStopped();
        begun = start.get();
        exchange = begun;
      }
      T result = begun.get();
      synchronized (this) {
        exchange = null;
      }
      return result;
    } catch (InterruptedException e) {
      endStep();
      Thread.currentThread().interrupt();
      throw cancelled(e);
    } catch (CancellationException e) {
      throw failure(e, ErrorKind.CANCELLED);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause(), ErrorKind.UNAVAILABLE);
    }
  }

  private synchronized void throwIfStopped() throws FerryException {
    if (stopped != null) {
      throw stopped;
    }
  }

  /** Throws where the call was stopped or its thread interrupted. */
  public void check() throws FerryException {
    throwIfStopped();
    if (Thread.currentThread().isInterrupted()) {
      throw cancelled(null);
    }
  }

  /** The digest of the file a call is about, unless the call is stopped meanwhile. */
  public Sha256 digest(FileSource file) throws FerryException {
    try {
      Sha256 digest = file.sha256();
      check();
      return digest;
    } catch (FerryException e) {
      throw failure(e, e.kind());
    }
  }

  /** What a failure means, given how the call was ended, if it was. */
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
        // Whoever called hears of the interrupt twice: the client may have swallowed its status.
        Thread.currentThread().interrupt();
        return cancelled(failure);
      }
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException ferry) {
        return ferry;
      }
    }
    return otherwise == ErrorKind.UNAVAILABLE && NO_HTTP.matcher(failure.toString()).find()
        ? report.foreign(otherwise, "does not answer as HTTP does", failure)
        : report.failedConnection(otherwise, failure);
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

  /** Reads a body to its end, so that its connection can be used again. */
  public static void drain(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }
}
