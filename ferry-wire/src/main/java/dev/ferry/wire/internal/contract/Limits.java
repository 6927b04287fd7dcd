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

  /**
   * Maximum size in bytes of the header fields of a request, whichever protocol it comes by. A
   * request beyond it is refused alone, with status 431 or RESOURCE_EXHAUSTED.
   */
  public static final int MAX_FIELDS = 32 * 1024;

  /** What counts for each field beside its name and its value (RFC 9113, 6.5.2). */
  public static final int FIELD_BYTES = 32;

  /**
   * Size in bytes of fields up to which they are read so that the request alone can be refused. A
   * connection of HTTP/2 ends somewhat beyond it. Its SETTINGS announce this size: clients that
   * heed them never come there.
   */
  public static final int MAX_FIELDS_READ = 8 * MAX_FIELDS;

  /** Maximum length of a token. As much again is left for other fields. */
  public static final int MAX_TOKEN = MAX_FIELDS / 2;

  /** Why a request with larger fields is refused. */
  public static final String FIELDS_TOO_LARGE =
      "the header fields of the request have more than "
          + MAX_FIELDS
          + " bytes; send fewer, or a shorter token";

  /** Maximum concurrent calls on one gRPC connection. Each may hold a file and its buffers. */
  public static final int MAX_CALLS_PER_CONNECTION = 100;

  /**
   * Maximum resets of running streams that a server receives on a connection per {@link
   * #RESETS_PERIOD}.
   */
  public static final int MAX_RESETS = 1000;

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
