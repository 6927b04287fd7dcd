package dev.ferry.suites.file;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.TargetFolder;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Moves the source, one transfer per operation, over clients that are dealt out evenly among the
 * transfers of a sample. Each has a fresh target: rewriting an existing file would cost more than
 * most transfers.
 *
 * <p>A server remembers the digests of files that it has sent, so only the first reader of a file
 * would pay for it. If downloads are verified, the source is therefore renewed before each sample,
 * and both ends compute its digest in all of them.
 */
public final class TransferOperation implements Operation {
  private final List<TransferClient> clients;
  private final int operations;
  private final Direction direction;
  private final TransferOptions options;
  private final Workplace workplace;
  private final boolean renews;
  private final StorePath source;
  private final TargetFolder folder;
  private final StorePath[] targets;
  private final Transfer[] transfers;
  private int samples;

  /**
   * As the other constructor, with a digest that both ends compute if there is one.
   *
   * @param load how many transfers a sample has; null for one
   */
  public TransferOperation(
      List<? extends TransferClient> clients,
      @Nullable Load load,
      Direction direction,
      TransferOptions options,
      Workplace workplace)
      throws FerryException {
    this(clients, load, direction, options, workplace, false);
  }

  /**
   * Takes over the clients, and closes them.
   *
   * @param load how many transfers a sample has; null for one
   * @param digestKnown whether the server may remember the digest of the source
   */
  TransferOperation(
      List<? extends TransferClient> clients,
      @Nullable Load load,
      Direction direction,
      TransferOptions options,
      Workplace workplace,
      boolean digestKnown)
      throws FerryException {
    this.clients = List.copyOf(clients);
    this.direction = direction;
    this.options = options;
    this.workplace = workplace;
    this.renews = direction == Direction.DOWNLOAD && options.digest() != null && !digestKnown;
    this.operations = load == null ? 1 : load.operations();
    this.source = StorePath.parse(String.valueOf(workplace.source().getFileName()));
    this.folder = workplace.targets(direction);
    this.targets = new StorePath[load == null ? 1 : load.files()];
    this.transfers = new Transfer[targets.length];
  }

  @Override
  public void prepare() throws IOException {
    if (renews) {
      workplace.uploads().renew(source.value());
    }
    for (TransferClient client : clients) {
      client.prepare();
    }
    samples++;
    for (int i = 0; i < targets.length; i++) {
      // A fork that was killed may have left its last target: never meet it again.
      targets[i] =
          new StorePath("target-" + ProcessHandle.current().pid() + "-" + i + "-" + samples);
    }
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    TransferClient client = clients.get(operation % clients.size());
    StorePath target = targets[operation];
    transfers[operation] =
        direction == Direction.DOWNLOAD
            ? client.download(source, workplace.client().resolve(target.value()), options)
            : client.upload(workplace.source(), target, options);
  }

  @Override
  public Outcome outcome() throws IOException {
    Transfer first = transfers[0];
    long bytes = 0;
    long wireBytes = 0;
    for (Transfer transfer : transfers) {
      if (!transfer.protocol().equals(first.protocol())
          || !transfer.encoding().equals(first.encoding())) {
        throw new IOException("transfers of one sample differ: " + first + ", " + transfer);
      }
      bytes += transfer.facts().size();
      wireBytes += transfer.wireBytes();
    }
    // Of transfers in turn each is an operation, of those at once all together are one.
    return new Outcome(
        bytes / operations, wireBytes / operations, first.protocol(), first.encoding());
  }

  @Override
  public OptionalLong ownNanos() {
    return transfers.length == 1 ? clients.get(0).ownNanos() : OptionalLong.empty();
  }

  @Override
  public void check(int operation) throws IOException {
    folder.take(targets[operation].value(), workplace, direction.table() + " ");
  }

  @Override
  public void discard(int operation) throws IOException {
    folder.delete(targets[operation].value());
  }

  @Override
  public void close() {
    clients.forEach(TransferClient::close);
  }
}
