package dev.ferry.suites.file;

import dev.ferry.core.FerryException;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Fixture;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.util.OptionalLong;

/** Moves the source with a carrier, one transfer per operation. */
public final class TransferFixture implements Fixture {
  private final TransferClient carrier;
  private final FileTransfer move;

  /** Takes over the carrier, and closes it. */
  public TransferFixture(
      TransferClient carrier, Direction direction, TransferOptions options, Workplace workplace)
      throws FerryException {
    this.carrier = carrier;
    this.move = new FileTransfer(direction, options, workplace, "");
  }

  @Override
  public void prepare() {
    move.prepare();
  }

  @Override
  public Outcome run() throws IOException {
    Transfer transfer = move.run(carrier);
    return new Outcome(
        transfer.facts().size(), transfer.wireBytes(), transfer.protocol(), transfer.encoding());
  }

  @Override
  public OptionalLong ownNanos() {
    return carrier.ownNanos();
  }

  @Override
  public void check() throws IOException {
    move.check();
  }

  @Override
  public void discard() throws IOException {
    move.discard();
  }

  @Override
  public void close() {
    carrier.close();
  }
}
