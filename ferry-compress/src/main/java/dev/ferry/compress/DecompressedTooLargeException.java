package dev.ferry.compress;

import java.io.IOException;

/** The decompressed data does not fit into the target. */
public final class DecompressedTooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  private final int limit;

  DecompressedTooLargeException(int limit) {
    super("the compressed bytes expand to more than the " + limit + " bytes there is room for");
    this.limit = limit;
  }

  /** Bytes that were available in the target. */
  public int limit() {
    return limit;
  }
}
