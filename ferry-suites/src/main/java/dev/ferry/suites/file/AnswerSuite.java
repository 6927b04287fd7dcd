package dev.ferry.suites.file;

import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.suite.Parameter;
import java.util.List;

/**
 * Moves a file as users do: verified, in chunks of 64 KiB; answers whether gRPC or plain HTTP is
 * faster on this machine. The tables on request say whether to compress the file.
 *
 * <p>Run it with {@code ./ferry bench --suite answer}.
 */
public final class AnswerSuite extends OneFileSuite {
  private static final Parameter BUFFER_SIZE = FileTables.bufferSizes("65536");

  /** For {@link java.util.ServiceLoader}. */
  public AnswerSuite() {
    super("answer", plain(), gzip());
  }

  @Override
  public String description() {
    return "gRPC or plain HTTP, verified, as users get it";
  }

  private static FileTables plain() {
    return FileTables.main(List.of(BUFFER_SIZE), FileTransports.HTTP_CLIENT_FILE)
        .add(Method.DEFAULT.label(), () -> FileTransports.grpc(Method.DEFAULT).verified())
        .add(Method.ZERO_COPY.label(), () -> FileTransports.grpc(Method.ZERO_COPY).verified())
        .add(FileTransports.HTTP_CLIENT_FILE, () -> FileTransports.httpClientFile().verified())
        .add(FileTransports.APACHE_TUNED, () -> FileTransports.apacheTuned().verified())
        // What verifying costs.
        .add("ZeroCopyBare", () -> FileTransports.grpc(Method.ZERO_COPY));
  }

  /** java.net.http has no codec, so {@code ofFile} has no row. */
  private static FileTables gzip() {
    Parameter compressed = FileTables.compressions("true");
    return FileTables.onRequest(
            "gzip", List.of(BUFFER_SIZE, compressed), FileTransports.HTTP_CLIENT)
        .add(Method.ZERO_COPY.label(), () -> FileTransports.grpc(Method.ZERO_COPY).verified())
        .add(FileTransports.ZERO_COPY_INTEL, () -> FileTransports.zeroCopyIntel().verified())
        .add(FileTransports.HTTP_CLIENT, () -> FileTransports.httpClient().verified())
        .add(FileTransports.APACHE_TUNED, () -> FileTransports.apacheTuned().verified());
  }
}
