package dev.ferry.contract;

import dev.ferry.core.TransferOptions;
import java.time.Duration;

/** The limits both ends keep, in one place. */
public final class Limits {
  /** Chunk of a download whose request names none, in bytes. */
  public static final int DEFAULT_CHUNK = TransferOptions.DEFAULT.chunkSize();

  /** Largest gRPC message either end takes, in bytes; also the default of other gRPC peers. */
  public static final int MAX_MESSAGE = 4 * 1024 * 1024;

  /** Calls a client may have open on one gRPC connection; each may hold a file and its buffers. */
  public static final int MAX_CALLS_PER_CONNECTION = 100;

  /** Silence after which either end of a gRPC connection asks whether the other is still there. */
  public static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

  /** Time for the answer; generous, because it waits behind a slow disk. */
  public static final Duration KEEP_ALIVE_ANSWER = Duration.ofSeconds(30);

  private Limits() {}
}
