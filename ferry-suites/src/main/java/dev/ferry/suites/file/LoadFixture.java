package dev.ferry.suites.file;

import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.AtOnce;
import dev.ferry.lab.suite.Fixture;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the source many times per sample: in turn over one carrier, or at once, each transfer on a
 * thread of its own, over carriers that are dealt out evenly.
 */
final class LoadFixture implements Fixture {
  private final List<TransferClient> carriers;
  private final Load load;
  private final List<FileTransfer> moves = new ArrayList<>();
  private final AtOnce threads;

  /** Takes over the carriers, and closes them. */
  LoadFixture(
      List<TransferClient> carriers,
      Load load,
      Direction direction,
      TransferOptions options,
      Workplace workplace)
      throws IOException {
    this.carriers = List.copyOf(carriers);
    this.load = load;
    for (int i = 0; i < load.files(); i++) {
      moves.add(new FileTransfer(direction, options, workplace, "-" + i));
    }
    threads = new AtOnce(load.atOnce());
  }

  @Override
  public void prepare() {
    moves.forEach(FileTransfer::prepare);
  }

  @Override
  public Outcome run() throws IOException {
    List<Transfer> transfers =
        load.atOnce() == 1 ? inTurn() : threads.run(moves.size(), this::transfer);
    Transfer first = transfers.get(0);
    for (Transfer other : transfers) {
      if (!other.protocol().equals(first.protocol())
          || !other.encoding().equals(first.encoding())) {
        throw new IOException("transfers of one sample differ: " + first + ", " + other);
      }
    }
    // Of transfers in turn each is an operation, of those at once all together are one.
    return new Outcome(
        transfers.stream().mapToLong(t -> t.facts().size()).sum() / load.operations(),
        transfers.stream().mapToLong(Transfer::wireBytes).sum() / load.operations(),
        first.protocol(),
        first.encoding());
  }

  private Transfer transfer(int move) throws IOException {
    return moves.get(move).run(carriers.get(move % carriers.size()));
  }

  private List<Transfer> inTurn() throws IOException {
    List<Transfer> transfers = new ArrayList<>(moves.size());
    for (int i = 0; i < moves.size(); i++) {
      transfers.add(transfer(i));
    }
    return transfers;
  }

  @Override
  public void check() throws IOException {
    threads.each(moves.size(), move -> moves.get(move).check());
  }

  @Override
  public void discard() throws IOException {
    for (FileTransfer move : moves) {
      move.discard();
    }
  }

  @Override
  public void close() {
    carriers.forEach(TransferClient::close);
    threads.close();
  }
}
