package dev.ferry.suites.file;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A new client for each sample. All clients connect with their first transfer, so the connection is
 * made in the timed part, and the start and the end of the client are outside of it.
 */
final class NewConnectionClient implements TransferClient {
  private final FileTransport transport;
  private final Workplace workplace;
  private final int port;
  private @Nullable TransferClient current;

  NewConnectionClient(FileTransport transport, Workplace workplace, int port) {
    this.transport = transport;
    this.workplace = workplace;
    this.port = port;
  }

  @Override
  public void prepare() throws IOException {
    close();
    current = transport.startClient(workplace, port);
  }

  private TransferClient current() {
    if (current == null) {
      throw new IllegalStateException("a transfer without a sample");
    }
    return current;
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return current().download(path, target, options);
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return current().upload(source, path, options);
  }

  @Override
  public void close() {
    TransferClient last = current;
    current = null;
    if (last != null) {
      last.close();
    }
  }
}
