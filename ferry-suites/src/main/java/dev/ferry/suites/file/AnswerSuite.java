package dev.ferry.suites.file;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.suites.own.OwnMethod;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.tls.ProviderParameter;
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
    super("answer", "gRPC or plain HTTP, verified, as users get it", plain(), gzip());
  }

  /** The rows are over TLS if the run gives them the parameter {@code Provider}. */
  private static FileTables plain() {
    return FileTables.main(List.of(BUFFER_SIZE), FileTransports.HTTP_CLIENT_FILE)
        .add(StockMethod.DEFAULT.label(), row -> FileTransports.grpcDefault(row).verified())
        .add(FileTransports.ZERO_COPY, row -> FileTransports.zeroCopy(row).verified())
        .add(
            FileTransports.OWN_ZERO_COPY,
            row -> FileTransports.ownService(row, OwnMethod.ZERO_COPY).verified())
        .add(FileTransports.FERRY_HTTP, row -> FileTransports.ferryHttp(row).verified())
        .add(FileTransports.HTTP_CLIENT_FILE, row -> FileTransports.httpClientFile(row).verified())
        .add(FileTransports.APACHE_TUNED, row -> FileTransports.apacheTuned(row).verified())
        // What verifying costs.
        .addAside("ZeroCopyBare", FileTransports::zeroCopy);
  }

  /** java.net.http has no codec, so {@code ofFile} has no row. */
  private static FileTables gzip() {
    Parameter compressed = FileTables.compressions("true");
    return FileTables.onRequest(
            "gzip", List.of(BUFFER_SIZE, compressed), FileTransports.HTTP_CLIENT)
        .add(FileTransports.ZERO_COPY, row -> FileTransports.zeroCopy(row).verified())
        .add(FileTransports.ZERO_COPY_INTEL, row -> FileTransports.zeroCopyIntel(row).verified())
        .add(FileTransports.HTTP_CLIENT, row -> FileTransports.httpClient(row).verified())
        .add(FileTransports.APACHE_TUNED, row -> FileTransports.apacheTuned(row).verified());
  }

  /** The rows of a run over TLS have the parameter of its provider as well. */
  @Override
  public boolean has(RowKey row) {
    return super.has(ProviderParameter.without(row));
  }
}
