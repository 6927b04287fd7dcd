package dev.ferry.suites.calls;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.receiving.ReceivingStore;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.util.List;

/**
 * Sends the source again and again to a {@link ReceivingStore}, over clients that are dealt out
 * evenly among the workers, and counts what arrived; afterwards it is sent once more, kept and
 * compared.
 */
final class FilesTask implements Operation {
  private static final StorePath SENT = new StorePath("sent");

  private final List<TransferClient> clients;
  private final Carrier probe;
  private final Workplace workplace;
  private final String protocol;
  private final TransferOptions options = TransferOptions.DEFAULT.withVerify(false);
  private long receivedBefore;

  /**
   * Takes over the clients, and closes them.
   *
   * @param probe asks the server what arrived, outside of the timed part
   */
  FilesTask(List<TransferClient> clients, Carrier probe, Workplace workplace, String protocol) {
    this.clients = List.copyOf(clients);
    this.probe = probe;
    this.workplace = workplace;
    this.protocol = protocol;
  }

  @Override
  public void prepare() throws IOException {
    receivedBefore = received();
  }

  private long received() throws FerryException {
    return probe.stat(ReceivingStore.RECEIVED, null, CallLimits.DEFAULT).size();
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    send(clients.get(worker % clients.size()), SENT);
  }

  private void send(TransferClient client, StorePath name) throws IOException {
    Transfer transfer = client.upload(workplace.source(), name, options);
    if (transfer.facts().size() != workplace.size() || !transfer.protocol().equals(protocol)) {
      throw new IOException(
          "sent as " + transfer + ", not " + workplace.size() + " bytes over " + protocol);
    }
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(workplace.size(), protocol);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    long arrived = received() - receivedBefore;
    long sent = operations * workplace.size();
    if (arrived != sent) {
      throw new IOException(
          "%,d bytes arrived of %,d files, not %,d".formatted(arrived, operations, sent));
    }
    send(clients.get(0), ReceivingStore.KEPT);
    String kept = ReceivingStore.KEPT.value();
    Sha256 digest = workplace.uploads().read(kept).sha256();
    workplace.uploads().delete(kept);
    if (!digest.equals(workplace.sha256())) {
      throw new IOException("what arrived has SHA-256 " + digest + ", not " + workplace.sha256());
    }
  }

  @Override
  public void close() {
    clients.forEach(TransferClient::close);
    probe.close();
  }
}
