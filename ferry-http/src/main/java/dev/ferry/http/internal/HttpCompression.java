package dev.ferry.http.internal;

import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.Compressibility;

/** Which compression can be requested over HTTP, and which bodies are compressed. */
public final class HttpCompression {
  /** Bytes at the beginning of a file that decide, since a body is compressed whole or not. */
  private static final long DECIDING_BYTES = 256 * 1024;

  private HttpCompression() {}

  /**
   * Throws if the requested compression is not supported over HTTP.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST}
   */
  public static void require(TransferOptions options) throws FerryException {
    Compression compression = options.compression();
    if (compression != null && !compression.equals(Compression.GZIP)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "%s at level %d is not to be had over HTTP: take gzip at level %d, or the grpc carrier"
              .formatted(
                  compression.format().encoding(), compression.level(), Compression.GZIP.level()));
    }
  }

  /** Returns whether gzip is likely to make a file smaller, judged by its first 256 KiB. */
  public static boolean worthwhile(FileSource file) throws FerryException {
    return new Compressibility().worthwhile(file, 0, Math.min(DECIDING_BYTES, file.facts().size()));
  }
}
