package dev.ferry.http;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
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
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * One call of a carrier, which a deadline, an interrupt or the carrier's closing can end wherever
 * it waits: the timeouts of clients end with the head of the response, or begin anew with each
 * read.
 */
public final class Call implements Closeable {
  private final String name;
  private final String server;
  private final Set<Call> running;
  private final @Nullable ScheduledFuture<?> timer;

  private @Nullable FerryException stopped;
  private @Nullable CompletableFuture<?> exchange;
  private @Nullable Closeable body;

  /**
   * Begins a call.
   *
   * @param name the file, for messages
   * @param server {@code host:port}, for messages
   * @param timeout for all of it; null means any
   * @param running calls that are to be stopped with their carrier
   */
  Call(
      String name,
      String server,
      @Nullable Duration timeout,
      ScheduledExecutorService timers,
      Set<Call> running)
      throws FerryException {
    this.name = name;
    this.server = server;
    this.running = running;
    try {
      this.timer =
          timeout == null
              ? null
              : timers.schedule(
                  () -> stop(ErrorKind.DEADLINE_EXCEEDED, "took longer than " + timeout),
                  timeout.toNanos(),
                  TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      throw new FerryException(ErrorKind.UNAVAILABLE, name + ": the carrier is closed", e);
    }
    running.add(this);
  }

  /** Ends the call from outside; whoever waits for it hears why. */
  void stop(ErrorKind kind, String why) {
    synchronized (this) {
      if (stopped == null) {
        stopped = new FerryException(kind, name + ": " + why);
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
  void check() throws FerryException {
    throwIfStopped();
    if (Thread.currentThread().isInterrupted()) {
      throw cancelled(null);
    }
  }

  /** The digest of the file a call is about, unless the call is stopped meanwhile. */
  Sha256 digest(FileSource file) throws FerryException {
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
      if (t instanceof ConnectException || t instanceof HttpConnectTimeoutException) {
        return new FerryException(
            ErrorKind.UNAVAILABLE,
            "cannot connect to " + server + " (" + reason(t) + "); is the server running there?",
            failure);
      }
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException ferry) {
        return ferry;
      }
    }
    if (failure instanceof EOFException || failure instanceof ZipException) {
      return new FerryException(
          ErrorKind.INCOMPLETE, name + ": the gzip stream is cut or corrupt", failure);
    }
    return new FerryException(
        otherwise, name + ": connection to " + server + " lost: " + reason(failure), failure);
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private FerryException cancelled(@Nullable Throwable cause) {
    return new FerryException(ErrorKind.CANCELLED, name + ": cancelled", cause);
  }

  @Override
  public void close() {
    running.remove(this);
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** Reads a body to its end, so that its connection can be used again. */
  static void drain(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }
}
