package dev.ferry.calls.grpc;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/** What becomes of a caller that is interrupted while it waits. */
final class Interrupts {
  private Interrupts() {}

  /** Sets the thread's interrupt status again. */
  static FerryException cancelled(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new FerryException(ErrorKind.CANCELLED, "interrupted while waiting for the answer", e);
  }
}
