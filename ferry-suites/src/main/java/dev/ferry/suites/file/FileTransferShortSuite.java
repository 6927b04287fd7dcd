package dev.ferry.suites.file;

/**
 * Moves a file over gRPC and HTTP in both directions; repeats the short form of the reference's
 * file upload/download example.
 *
 * <p>Run it with {@code ./ferry bench --suite file-transfer-short}.
 */
public final class FileTransferShortSuite extends OneFileSuite {
  /** For {@link java.util.ServiceLoader}. */
  public FileTransferShortSuite() {
    super(
        "file-transfer-short",
        "one file over gRPC and HTTP/1.1, in few rows",
        FileTransferTables.shortForm());
  }
}
