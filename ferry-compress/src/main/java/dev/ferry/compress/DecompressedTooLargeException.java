package dev.ferry.compress;

import java.io.IOException;

/** Compressed bytes expand to more than their receiver has room for. */
public final class DecompressedTooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  private final int limit;

  DecompressedTooLargeException(int limit) {
    super("the compressed bytes expand to more than the " + limit + " bytes there is room for");
    this.limit = limit;
  }

  /** Bytes there was room for. */
  public int limit() {
    return limit;
  }
}
