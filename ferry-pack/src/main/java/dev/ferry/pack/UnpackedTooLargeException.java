package dev.ferry.pack;

import java.io.IOException;

/** Packed bytes expand to more than their receiver has room for. */
public final class UnpackedTooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  private final int limit;

  UnpackedTooLargeException(int limit) {
    super("the packed bytes expand to more than the " + limit + " bytes there is room for");
    this.limit = limit;
  }

  /** Bytes there was room for. */
  public int limit() {
    return limit;
  }
}
