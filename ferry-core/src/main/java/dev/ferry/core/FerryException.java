package dev.ferry.core;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A failed operation: a {@link ErrorKind} for programs and one line for people that names the
 * input.
 */
public final class FerryException extends IOException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind kind;

  public FerryException(ErrorKind kind, String message) {
    this(kind, message, null);
  }

  public FerryException(ErrorKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What went wrong, the same on every carrier. */
  public ErrorKind kind() {
    return kind;
  }

  /**
   * Gives a failure of the local file system its kind.
   *
   * @param name what the caller calls the file; never an absolute path of a server
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
    if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return new FerryException(
          ErrorKind.ALREADY_EXISTS, name + ": a file or directory of that name is in the way", e);
    }
    if (e instanceof FileSystemLoopException) {
      return new FerryException(ErrorKind.INVALID_PATH, name + ": symbolic links form a loop", e);
    }
    // The JDK has no type for these two: the text of strerror(3) is all there is.
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      return new FerryException(ErrorKind.OUT_OF_SPACE, name + ": no space left on the disk", e);
    }
    if (text.contains("file too large")) {
      return new FerryException(ErrorKind.TOO_LARGE, name + ": too large for the file system", e);
    }
    if (text.contains("file name too long")) {
      return new FerryException(ErrorKind.INVALID_PATH, name + ": name too long", e);
    }
    if (text.contains("not a directory")) {
      return new FerryException(
          ErrorKind.ALREADY_EXISTS, name + ": a file stands where a directory is needed", e);
    }
    return new FerryException(ErrorKind.INTERNAL, name + ": " + e.getMessage(), e);
  }
}
