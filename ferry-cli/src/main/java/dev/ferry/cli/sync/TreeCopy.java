package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.file.Path;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is in a directory: a sync that compares nothing. It goes on after failures that are
 * about one file alone.
 *
 * @param transfers of this command; closed at the end
 */
public record TreeCopy(TreeTransfers transfers, TreeFlags tree, OutputFlags output) {
  /** Downloads what is in a directory of the server. Returns the exit code. */
  public int get(StorePath source, Path target) throws FerryException {
    RemoteSide from = new RemoteSide(transfers, source, tree.links());
    LocalSide to = new LocalSide(target, tree.links());
    return run(new SyncDirection.Down(from, to, transfers));
  }

  /** Uploads what is in a local directory. Returns the exit code. */
  public int put(Path source, StorePath target) throws FerryException {
    LocalSide from = new LocalSide(source, tree.links());
    RemoteSide to = new RemoteSide(transfers, target, tree.links());
    return run(new SyncDirection.Up(from, to, transfers));
  }

  /** Copies a file from one server to another. */
  @FunctionalInterface
  public interface Each {
    /**
     * Copies it.
     *
     * @param folderMode of the folder that has it, in case this makes it; null if it is not known
     */
    void copy(StorePath from, StorePath into, @Nullable Integer folderMode) throws FerryException;
  }

  /**
   * Copies what is in a directory of another server. Returns the exit code.
   *
   * @param from lists the other server
   */
  public int across(TreeTransfers from, StorePath source, StorePath target, Each copies)
      throws FerryException {
    RemoteSide read = new RemoteSide(from, source, tree.links());
    RemoteSide written = new RemoteSide(transfers, target, tree.links());
    return run(new SyncDirection.Across(read, written, transfers, copies));
  }

  private int run(SyncDirection direction) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    SyncReport report = new SyncReport(output, transfers, false);
    try (TreeTransfers running = transfers) {
      new CopyPass(
              direction,
              CopyPass.Comparison.NONE,
              tree.filter(),
              new HashSet<>(),
              null,
              running,
              report)
          .run();
      running.await();
    }
    output.summary(
        direction.source().name("")
            + "/ -> "
            + direction.target().name("")
            + "/: "
            + report.totals().text(stopwatch.seconds())
            + report.missing().text());
    return report.missing().all() == 0 ? 0 : FailureCode.NOT_ALL.code();
  }
}
