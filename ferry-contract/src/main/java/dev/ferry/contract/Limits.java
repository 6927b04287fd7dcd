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

  /** Streams of an HTTP/2 connection that may be reset in {@link #RESETS_PERIOD}. */
  public static final int MAX_RESETS = 200;

  /** See {@link #MAX_RESETS}: a reset costs its sender nothing (CVE-2023-44487). */
  public static final Duration RESETS_PERIOD = Duration.ofSeconds(30);

  /** Silence after which either end of a gRPC connection asks whether the other is still there. */
  public static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

  /** Time for the answer; generous, because it waits behind a slow disk. */
  public static final Duration KEEP_ALIVE_ANSWER = Duration.ofSeconds(30);

  /** Rows of a stream. */
  public static final long MAX_ROWS = 1_000_000_000;

  /** Rows of one message: with at most 19 bytes each they fit into {@link #MAX_MESSAGE}. */
  public static final int MAX_ROWS_IN_LIST = 200_000;

  /** Items of a small call. */
  public static final int MAX_ITEMS = 10_000;

  /** Users of a page. */
  public static final int MAX_PAGE = 10_000;

  /** Characters of a log record's message. */
  public static final int MAX_LOG_MESSAGE = 65_536;

  /** Characters of a log record's category. */
  public static final int MAX_LOG_CATEGORY = 256;

  private Limits() {}
}
