package dev.ferry.wire.internal.contract;

import dev.ferry.core.TransferOptions;
import java.time.Duration;

/** Limits of clients and servers. */
public final class Limits {
  /** Chunk size in bytes of a download whose request has none. */
  public static final int DEFAULT_CHUNK = TransferOptions.DEFAULT.chunkSize();

  /**
   * Maximum gRPC message size in bytes for clients and servers; also the default of other gRPC
   * peers.
   */
  public static final int MAX_MESSAGE = 4 * 1024 * 1024;

  /** Maximum concurrent calls on one gRPC connection. Each may hold a file and its buffers. */
  public static final int MAX_CALLS_PER_CONNECTION = 100;

  /** Maximum stream resets that a server receives on a connection per {@link #RESETS_PERIOD}. */
  public static final int MAX_RESETS = 200;

  /**
   * Maximum stream resets that a server sends on a connection per {@link #RESETS_PERIOD}. If it
   * ends an upload, Netty resets the stream again for each frame that was on its way: 1,024 frames
   * of 16 KiB in a window of 16 MiB. So four such uploads are allowed.
   */
  public static final int MAX_RESETS_SENT = 4 * 1024;

  /** Period of both limits. A reset costs its sender nothing (CVE-2023-44487, CVE-2025-8671). */
  public static final Duration RESETS_PERIOD = Duration.ofSeconds(30);

  /** Idle time after which either end of a gRPC connection sends a keepalive ping. */
  public static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

  /** Keepalive timeout. It is long because the acknowledgement may have to wait for a slow disk. */
  public static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(30);

  private Limits() {}
}
