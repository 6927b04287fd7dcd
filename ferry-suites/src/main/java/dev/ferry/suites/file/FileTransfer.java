package dev.ferry.suites.file;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.TargetFolder;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;

/**
 * Moves the source to a fresh target each time: rewriting an existing file would cost more than
 * most transfers. Used by one thread at a time.
 */
final class FileTransfer {
  private final Direction direction;
  private final TransferOptions options;
  private final Workplace workplace;
  private final StorePath sourceName;
  private final String label;
  private final TargetFolder targets;
  private int count;
  private StorePath targetName;

  /**
   * Prepares moves.
   *
   * @param label distinguishes the targets of concurrent moves
   */
  FileTransfer(Direction direction, TransferOptions options, Workplace workplace, String label)
      throws FerryException {
    this.direction = direction;
    this.options = options;
    this.workplace = workplace;
    this.sourceName = StorePath.parse(String.valueOf(workplace.source().getFileName()));
    this.label = label;
    this.targets = workplace.targets(direction);
    this.targetName = StorePath.ROOT;
  }

  /** Picks the next target's name. */
  void prepare() {
    // A fork that was killed may have left its last target: never meet it again.
    String name = "target-" + ProcessHandle.current().pid() + label + "-" + ++count;
    // Names of our own making are good names.
    targetName = new StorePath(name);
  }

  Transfer run(TransferClient carrier) throws IOException {
    return direction == Direction.DOWNLOAD
        ? carrier.download(sourceName, workplace.client().resolve(targetName.value()), options)
        : carrier.upload(workplace.source(), targetName, options);
  }

  /** Compares the target with the source and deletes it. */
  void check() throws IOException {
    targets.take(targetName.value(), workplace, direction.table() + " ");
  }

  /** Deletes the target. */
  void discard() throws IOException {
    targets.delete(targetName.value());
  }
}
