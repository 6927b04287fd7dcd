package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Converts what a stream, a channel or a consumer of the caller has thrown. */
public final class StreamFailure {
  private StreamFailure() {}

  /**
   * Converts a failure. If it is an interrupt, the interrupt status is set again, which waiting
   * code clears.
   *
   * @param name the caller's name for the stream
   */
  public static FerryException of(Exception e, String name) {
    if (e.getCause() instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new FerryException(ErrorKind.CANCELLED, name + ": cancelled", e);
    }
    if (!(e instanceof IOException io)) {
      return new FerryException(ErrorKind.INTERNAL, name + ": " + e, e);
    }
    FerryException failure = FerryException.of(io, name);
    if (io instanceof InterruptedIOException && failure.kind() == ErrorKind.CANCELLED) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }
}
