package dev.ferry.suites.file;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
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
    super("answer", plain(), gzip());
  }

  @Override
  public String description() {
    return "gRPC or plain HTTP, verified, as users get it";
  }

  /** The rows are over TLS if the run gives them the parameter {@code Provider}. */
  private static FileTables plain() {
    return FileTables.main(List.of(BUFFER_SIZE), FileTransports.HTTP_CLIENT_FILE)
        .addByRow(StockMethod.DEFAULT.label(), row -> grpcDefault(row).verified())
        .addByRow(FileTransports.ZERO_COPY, row -> zeroCopy(row).verified())
        .addByRow(FileTransports.FERRY_HTTP, row -> ferryHttp(row).verified())
        .addByRow(FileTransports.HTTP_CLIENT_FILE, row -> httpClientFile(row).verified())
        .addByRow(FileTransports.APACHE_TUNED, row -> apacheTuned(row).verified())
        // What verifying costs.
        .addAside("ZeroCopyBare", AnswerSuite::zeroCopy);
  }

  private static FileTransport grpcDefault(RowKey row) {
    return ProviderParameter.isOf(row)
        ? TlsTables.stock(row, StockMethod.DEFAULT)
        : FileTransports.stock(StockMethod.DEFAULT);
  }

  private static FileTransport zeroCopy(RowKey row) {
    return ProviderParameter.isOf(row) ? TlsTables.zeroCopy(row) : FileTransports.zeroCopy();
  }

  private static FileTransport ferryHttp(RowKey row) {
    return ProviderParameter.isOf(row) ? TlsTables.ferryHttp(row) : FileTransports.ferryHttp();
  }

  private static FileTransport httpClientFile(RowKey row) {
    return ProviderParameter.isOf(row)
        ? TlsTables.httpClientFile(row)
        : FileTransports.httpClientFile();
  }

  private static FileTransport apacheTuned(RowKey row) {
    return ProviderParameter.isOf(row) ? TlsTables.apacheTuned(row) : FileTransports.apacheTuned();
  }

  /** java.net.http has no codec, so {@code ofFile} has no row. */
  private static FileTables gzip() {
    Parameter compressed = FileTables.compressions("true");
    return FileTables.onRequest(
            "gzip", List.of(BUFFER_SIZE, compressed), FileTransports.HTTP_CLIENT)
        .add(FileTransports.ZERO_COPY, () -> FileTransports.zeroCopy().verified())
        .add(FileTransports.ZERO_COPY_INTEL, () -> FileTransports.zeroCopyIntel().verified())
        .add(FileTransports.HTTP_CLIENT, () -> FileTransports.httpClient().verified())
        .add(FileTransports.APACHE_TUNED, () -> FileTransports.apacheTuned().verified());
  }

  /** The rows of a run over TLS have the parameter of its provider as well. */
  @Override
  public boolean has(RowKey row) {
    return super.has(ProviderParameter.without(row));
  }
}
