package dev.ferry.contract;

import dev.ferry.core.TransferOptions;

/** The limits both ends keep, in one place. */
public final class Limits {
  /** Chunk of a download whose request names none, in bytes. */
  public static final int DEFAULT_CHUNK = TransferOptions.DEFAULT.chunkSize();

  /** Largest gRPC message either end takes, in bytes; also the default of other gRPC peers. */
  public static final int MAX_MESSAGE = 4 * 1024 * 1024;

  private Limits() {}
}
