package dev.ferry.http.internal;

import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.TransferOptions;

/** Checks the compression that can be requested over HTTP. */
public final class HttpCompression {
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
}
