package dev.ferry.suites.url;

import dev.ferry.core.Sha256;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Downloads the run's file from a server that is already there, each time into a new file. */
final class DownloadOperation implements Operation {
  private final String address;
  private final Download download;
  private final Workplace workplace;
  private int count;
  private Path target;
  private String protocol = "";

  /** A client that downloads from one address. For one thread. */
  interface Download extends AutoCloseable {
    /**
     * Downloads once.
     *
     * @param target a file that does not exist yet
     * @return the negotiated protocol, as ALPN names it
     * @throws IOException if that fails, in one line
     */
    String get(Path target) throws IOException;

    @Override
    void close();
  }

  /**
   * Takes over a client, and closes it.
   *
   * @param address as it is shown
   */
  DownloadOperation(String address, Download download, Workplace workplace) {
    this.address = address;
    this.download = download;
    this.workplace = workplace;
    this.target = workplace.client();
  }

  @Override
  public void prepare() throws IOException {
    target = workplace.client().resolve("target-" + ProcessHandle.current().pid() + "-" + ++count);
    ForeignRate.pause(workplace.size());
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    protocol = download.get(target);
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(workplace.size(), protocol);
  }

  @Override
  public void check(int operation) throws IOException {
    Sha256 received = Sha256.ofFile(target);
    if (!received.equals(workplace.sha256())) {
      throw new IOException(
          "%s gave %,d bytes with SHA-256 %s; when the run began, %,d bytes with SHA-256 %s"
              .formatted(
                  address, Files.size(target), received, workplace.size(), workplace.sha256()));
    }
    discard(operation);
  }

  @Override
  public void discard(int operation) throws IOException {
    Files.delete(target);
  }

  @Override
  public void close() {
    download.close();
  }
}
