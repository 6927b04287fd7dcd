package dev.ferry.core;

import dev.ferry.core.internal.SystemError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failed operation. It has an {@link ErrorKind} for programs and a one-line message for people
 * that names the input.
 */
public final class FerryException extends IOException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind kind;
  private final @Nullable Outage outage;
  private final @Nullable Duration retryAfter;
  private final boolean otherServers;

  public FerryException(ErrorKind kind, String message) {
    this(kind, message, null);
  }

  public FerryException(ErrorKind kind, String message, @Nullable Throwable cause) {
    this(kind, null, message, cause);
  }

  /** Keeps the interrupt of this thread, and returns what its work then fails with. */
  public static FerryException interrupted(String message, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new FerryException(ErrorKind.CANCELLED, message, e);
  }

  /** Creates the exception of a call whose connection failed. */
  public FerryException(
      ErrorKind kind, @Nullable Outage outage, String message, @Nullable Throwable cause) {
    this(kind, outage, message, cause, null, false);
  }

  private FerryException(
      ErrorKind kind,
      @Nullable Outage outage,
      @Nullable String message,
      @Nullable Throwable cause,
      @Nullable Duration retryAfter,
      boolean otherServers) {
    super(message, cause);
    this.kind = kind;
    this.outage = outage;
    this.retryAfter = retryAfter;
    this.otherServers = otherServers;
  }

  /**
   * Returns the same failure with the time after which the server accepts another attempt; zero if
   * it states none.
   */
  public FerryException withRetryAfter(Duration time) {
    return new FerryException(kind, outage, getMessage(), getCause(), time, otherServers);
  }

  /** Returns the same failure of one of several servers, of which another one may be tried. */
  public FerryException withOtherServers() {
    return new FerryException(kind, outage, getMessage(), getCause(), retryAfter, true);
  }

  /** The kind of the error, the same on every carrier. */
  public ErrorKind kind() {
    return kind;
  }

  /** How the connection failed; null for all other errors. */
  public @Nullable Outage outage() {
    return outage;
  }

  /**
   * How long the server wants a client to wait before another attempt, from zero; null if it has
   * not said that another attempt makes sense.
   */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /**
   * Whether one of several servers failed, so that another attempt, which chooses another one, need
   * not wait.
   */
  public boolean hasOtherServers() {
    return otherServers;
  }

  /**
   * Converts a failure of the local file system.
   *
   * @param name the caller's name for the file; never an absolute path of a server
   */
  public static FerryException of(IOException e, String name) {
    if (e instanceof FerryException ferry) {
      return ferry;
    }
    if (e instanceof NoSuchFileException) {
      return new FerryException(ErrorKind.NOT_FOUND, name + ": no such file", e);
    }
    if (e instanceof AccessDeniedException) {
      return new FerryException(ErrorKind.PERMISSION_DENIED, name + ": permission denied", e);
    }
    if (e instanceof AsynchronousCloseException || isInterrupt(e)) {
      // This includes ClosedByInterruptException: another thread closed the channel while it was
      // used.
      return new FerryException(ErrorKind.CANCELLED, name + ": cancelled", e);
    }
    if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return new FerryException(
          ErrorKind.ALREADY_EXISTS, name + ": a file or folder of that name is in the way", e);
    }
    if (e instanceof FileSystemLoopException) {
      return new FerryException(ErrorKind.INVALID_PATH, name + ": symbolic links form a loop", e);
    }
    return ofReason(SystemError.of(e), reason(e), name, e);
  }

  /**
   * Whether the thread was interrupted while it waited, as the JDK's pipes say it. Libraries use
   * subclasses, or messages, for timeouts.
   */
  private static boolean isInterrupt(IOException e) {
    return e.getClass() == InterruptedIOException.class && e.getMessage() == null;
  }

  /** Returns the reason without the path, because the path may be an absolute path of a server. */
  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? "reading or writing failed" : reason;
  }

  private static FerryException ofReason(
      @Nullable SystemError error, String reason, String name, IOException cause) {
    if (error == null) {
      return new FerryException(ErrorKind.INTERNAL, name + ": " + reason, cause);
    }
    return switch (error) {
      case NO_SPACE, OVER_QUOTA ->
          new FerryException(ErrorKind.OUT_OF_SPACE, name + ": no space left on the disk", cause);
      case TOO_LARGE ->
          new FerryException(ErrorKind.TOO_LARGE, name + ": too large for the file system", cause);
      case NAME_TOO_LONG ->
          new FerryException(ErrorKind.INVALID_PATH, name + ": name too long", cause);
      case LINK_LOOP ->
          new FerryException(ErrorKind.INVALID_PATH, name + ": symbolic links form a loop", cause);
      case NOT_A_DIRECTORY, IS_A_DIRECTORY ->
          new FerryException(
              ErrorKind.ALREADY_EXISTS,
              name + ": a file is in the place of a folder, or the reverse",
              cause);
      case READ_ONLY, NOT_PERMITTED ->
          new FerryException(ErrorKind.PERMISSION_DENIED, name + ": " + reason, cause);
      case TOO_MANY_FILES ->
          new FerryException(ErrorKind.INTERNAL, name + ": " + SystemError.RAISE_LIMIT, cause);
      case BROKEN_PIPE, CONNECTION_REFUSED ->
          new FerryException(ErrorKind.INTERNAL, name + ": " + reason, cause);
    };
  }
}
