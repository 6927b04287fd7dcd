package dev.ferry.lab.suite.calls;

import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.rival.Mover;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends the source again and again to a {@link ReceivingStore}, over movers that are dealt out
 * evenly among the workers; afterwards it is sent once more, kept and compared.
 */
final class FilesTask implements CallFixture.Task {
  private final List<Mover> movers;
  private final Workplace workplace;
  private final String protocol;
  private final TransferOptions options = TransferOptions.DEFAULT.withVerify(false);
  private final List<StorePath> names = new ArrayList<>();

  /**
   * Takes over the movers, and closes them.
   *
   * @param count files of a sample
   */
  FilesTask(List<Mover> movers, Workplace workplace, String protocol, int count)
      throws IOException {
    this.movers = List.copyOf(movers);
    this.workplace = workplace;
    this.protocol = protocol;
    for (int i = 0; i < count; i++) {
      names.add(StorePath.parse("sent-" + i));
    }
  }

  @Override
  public void prepare() {
    try {
      for (StorePath name : names) {
        Files.deleteIfExists(workplace.store().resolve(name.value()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    send(movers.get(worker % movers.size()), names.get(operation));
  }

  private void send(Mover mover, StorePath name) throws IOException {
    Transfer transfer = mover.upload(workplace.source(), name, options);
    if (transfer.facts().size() != workplace.size() || !transfer.protocol().equals(protocol)) {
      throw new IOException(
          "sent as " + transfer + ", not " + workplace.size() + " bytes over " + protocol);
    }
  }

  @Override
  public void check(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      long size = Files.size(workplace.store().resolve(names.get(i).value()));
      if (size != workplace.size()) {
        throw new IOException(
            "%,d bytes arrived of %s, not %,d".formatted(size, names.get(i), workplace.size()));
      }
    }
    Path kept = workplace.store().resolve(ReceivingStore.KEPT);
    send(movers.get(0), StorePath.parse(ReceivingStore.KEPT));
    Sha256 digest = Sha256.ofFile(kept);
    Files.delete(kept);
    if (!digest.equals(workplace.sha256())) {
      throw new IOException("what arrived has SHA-256 " + digest + ", not " + workplace.sha256());
    }
  }

  @Override
  public void close() {
    movers.forEach(Mover::close);
  }
}
