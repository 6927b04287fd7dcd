package dev.ferry.cli.sync;

import dev.ferry.cli.client.ServerOptions;
import dev.ferry.cli.client.TransferFlags;
import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.SharedDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.NameFilter;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.TransferOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a folder of a server like a local one, or the other way. */
@Command(
    name = "sync",
    description = {
      "Makes one folder like another one: a folder of a server like a local one, or the other"
          + " way.",
      "The one of the server is an address, such as ferry://HOST/PATH or http://HOST/files/PATH."
          + " What is in SOURCE, with all folders below it, is copied into TARGET. Files that have"
          + " the same size and modification time at both ends are left. Different files of TARGET"
          + " are replaced without a question. Other files of TARGET stay, unless --delete is given."
          + " A sync ends at the first failure, and can be repeated."
    })
public final class SyncCommand implements Callable<Integer>, StopsOnInterrupt {
  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;
  @Mixin private TreeFlags tree;
  @Mixin private OutputFlags output;

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "The folder to copy from: a local one, or the address of one.")
  private String source;

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description = "The folder to copy to, which is made if it is missing: the other of both.")
  private String target;

  @Option(
      names = "--dry-run",
      description = "Print what would be copied and deleted, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--delete",
      description =
          "Delete the files and folders of TARGET that SOURCE lacks, after all files were copied."
              + " Those that --include and --exclude leave out stay. After a failure nothing more"
              + " is deleted.")
  private boolean delete;

  @Option(
      names = "--compare-checksums",
      description =
          "Compare files of the same size by their checksums, and not by their modification times."
              + " Both ends read them.")
  private boolean compareChecksums;

  @SuppressWarnings("NullAway.Init") // picocli injects all fields
  SyncCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    server.reportTo(output);
    server.limitTo(flags.rateLimit());
    boolean down = ServerOptions.isAddress(source);
    if (down == ServerOptions.isAddress(target)) {
      throw server.wrongUse(
          down
              ? "SOURCE and TARGET are both addresses; copy the files to a local folder first"
              : "neither SOURCE nor TARGET is an address; write the one of the server as"
                  + " ferry://HOST/PATH",
          null);
    }
    TransferOptions options = flags.options(TransferOptions.Progress.NONE);
    TreeTransfers transfers = TreeTransfers.replacing(server, output, options);
    LocalSide local = new LocalSide(localPath(down ? target : source));
    RemoteSide remote = new RemoteSide(transfers, server.directoryPath(down ? source : target));
    try {
      run(
          down
              ? new Direction.Down(remote, local, transfers)
              : new Direction.Up(local, remote, transfers));
    } catch (InvalidPathException e) {
      throw new FerryException(ErrorKind.INVALID_PATH, e.getMessage() + "; try LC_ALL=C.UTF-8", e);
    }
    return 0;
  }

  private Path localPath(String given) {
    try {
      return Path.of(given);
    } catch (InvalidPathException e) {
      throw server.wrongUse(e.getMessage() + "; try LC_ALL=C.UTF-8", e);
    }
  }

  private void run(Direction direction) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    NameFilter filter = tree.filter();
    SyncReport report = new SyncReport(output, dryRun);
    Side from = direction.source();
    Side to = direction.target();
    try (ProgressDisplay progress = output.progress(to.name(""));
        CarrierPool.Kept unused = server.keepConnections();
        ParallelTasks tasks = new ParallelTasks(tree.jobs())) {
      SharedDisplay shared = new SharedDisplay(progress);
      new CopyPass(direction, filter, compareChecksums, tasks, shared, report).run();
      tasks.await();
      if (delete) {
        new DeletePass(from, to, filter, tasks, report).run();
        tasks.await();
      }
    }
    report.summary(from.name(""), to.name(""), stopwatch.seconds());
  }
}
