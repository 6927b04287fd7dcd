package dev.ferry.lab.suite;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.rival.Mover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Moves the source with a carrier to a fresh target each time: rewriting an existing file would
 * cost more than most transfers.
 */
public final class TransferFixture implements Fixture {
  private final Mover carrier;
  private final AutoCloseable server;
  private final Direction direction;
  private final TransferOptions options;
  private final Workplace workplace;
  private final StorePath sourceName;
  private int count;
  private Path target;
  private StorePath targetName;

  /** Takes over the carrier and the server it talks to, and closes both. */
  public TransferFixture(
      Carrier carrier,
      AutoCloseable server,
      Direction direction,
      TransferOptions options,
      Workplace workplace)
      throws FerryException {
    this(Mover.of(carrier), server, direction, options, workplace);
  }

  /** The same with what moves files alone. */
  public TransferFixture(
      Mover carrier,
      AutoCloseable server,
      Direction direction,
      TransferOptions options,
      Workplace workplace)
      throws FerryException {
    this.carrier = carrier;
    this.server = server;
    this.direction = direction;
    this.options = options;
    this.workplace = workplace;
    this.sourceName = StorePath.parse(String.valueOf(workplace.source().getFileName()));
    this.target = workplace.client();
    this.targetName = StorePath.ROOT;
  }

  @Override
  public void prepare() {
    // A fork that was killed may have left its last target: never meet it again.
    String name = "target-" + ProcessHandle.current().pid() + "-" + ++count;
    // Names of our own making are good names.
    targetName = new StorePath(name);
    target =
        (direction == Direction.DOWNLOAD ? workplace.client() : workplace.store()).resolve(name);
  }

  @Override
  public Outcome run() throws IOException {
    Transfer transfer =
        direction == Direction.DOWNLOAD
            ? carrier.download(sourceName, target, options)
            : carrier.upload(workplace.source(), targetName, options);
    return new Outcome(
        transfer.facts().size(), transfer.wireBytes(), transfer.protocol(), transfer.encoding());
  }

  @Override
  public void check() throws IOException {
    long size = Files.size(target);
    if (size != workplace.size()) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          direction.table() + " left " + size + " bytes, the source has " + workplace.size());
    }
    Sha256 digest = Sha256.ofFile(target);
    if (!digest.equals(workplace.sha256())) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          direction.table() + " left SHA-256 " + digest + ", not " + workplace.sha256());
    }
    Files.delete(target);
  }

  @Override
  public void close() {
    carrier.close();
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded server does not stop: " + e.getMessage(), e);
    }
  }
}
