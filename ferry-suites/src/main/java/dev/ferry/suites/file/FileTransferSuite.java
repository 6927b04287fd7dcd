package dev.ferry.suites.file;

/**
 * Moves a file in both directions over every carrier; repeats the reference's file upload/download
 * example. The main tables are gRPC against HTTP; the others, on request, have the best method
 * beside each rival, beside the C core of gRPC, over gRPC-Web, between a server and the channels of
 * others, HTTP by every client, all that can verify with and without it, both over TLS, and a
 * service that is not Ferry's.
 *
 * <p>Run it with {@code ./ferry bench --suite file-transfer}.
 */
public final class FileTransferSuite extends OneFileSuite {
  /** As in {@code --suite}. */
  public static final String NAME = "file-transfer";

  /** For {@link java.util.ServiceLoader}. */
  public FileTransferSuite() {
    super(
        NAME,
        "one file over every carrier; main tables: gRPC and HTTP/1.1",
        FileTransferTables.main(),
        RivalTables.best(),
        FileTransferTables.web(),
        FileTransferTables.cCore(),
        FileTransferTables.mixed(),
        RivalTables.http(),
        RivalTables.verified(),
        TlsTables.tables(),
        RivalTables.ownService());
  }
}
