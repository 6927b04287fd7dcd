package dev.ferry.cli.sync;

import dev.ferry.cli.client.ServerCommand;
import dev.ferry.cli.client.TransferFlags;
import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.program.Question;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.tree.NameFilter;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.library.internal.FileAddress;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a folder of a server like a local one, or the other way. */
@Command(
    name = "sync",
    description = {
      "Updates a folder on a server from a local one, or the reverse.",
      "The server's folder is given by its address, such as ferry://HOST/PATH or"
          + " http://HOST/files/PATH. Everything in SOURCE, including all folders below it, is"
          + " copied into TARGET. Files that have the same size and modification time at both ends"
          + " are skipped. Different files of TARGET are replaced without a question. Other files"
          + " of TARGET stay, unless --delete is given. Names that cannot be copied are reported,"
          + " and a sync can be repeated."
    },
    footer = {
      "",
      "Examples:",
      "  ferry sync photos ferry://files.example.org/photos",
      "  ferry sync ferry://files.example.org/photos photos --delete --dry-run"
    })
public final class SyncCommand extends ServerCommand {
  private static final String MAX_DELETE = "--max-delete";
  private static final String BACKUP_DIR = "--backup-dir";

  @Mixin private TransferFlags flags;
  @Mixin private TreeFlags tree;

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "The folder to copy from: a local one, or the address of one.")
  private String source;

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description =
          "The folder to copy to, made if it is missing: an address if SOURCE is local, else a local"
              + " folder.")
  private String target;

  @Option(
      names = "--dry-run",
      description = "Print what would be copied and deleted, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--delete",
      description =
          "Delete the files and folders of TARGET that SOURCE lacks, after all files were copied."
              + " Those that --include and --exclude leave out stay. If a copy has failed, nothing"
              + " is deleted.")
  private boolean delete;

  @Option(
      names = MAX_DELETE,
      paramLabel = "N|P%",
      converter = DeleteLimit.Converter.class,
      description =
          "With --delete: delete nothing if more files than this, or a higher percentage of those"
              + " in TARGET, would be deleted. Only 100%% allows deleting all of them. Without this"
              + " option the command asks before that on a terminal, and fails elsewhere.")
  private @Nullable DeleteLimit maxDelete;

  @Option(
      names = BACKUP_DIR,
      paramLabel = "DIR",
      description =
          "Move files of TARGET that would be replaced or deleted to this folder, under their paths"
              + " in TARGET. DIR is at the same end, and relative to TARGET. An earlier backup of"
              + " that path is replaced, with a line.")
  private @Nullable String backupDir;

  @Option(
      names = "--compare-checksums",
      description =
          "Compare files of the same size by their checksums instead of their modification times."
              + " Both ends read them.")
  private boolean compareChecksums;

  @Override
  public Integer call() throws Exception {
    server.fitTo(flags);
    boolean down = FileAddress.isAddress(source);
    if (down == FileAddress.isAddress(target)) {
      throw arguments.wrongUse(
          down
              ? "SOURCE and TARGET are both addresses; copy between servers by 'ferry cp -r'"
              : "neither SOURCE nor TARGET is an address; write the one of the server as"
                  + " ferry://HOST/PATH");
    }
    TransferOptions options = flags.options(TransferOptions.Progress.NONE);
    StorePath there = arguments.directoryPath(down ? source : target);
    LocalSide local = new LocalSide(arguments.localPath(down ? target : source), tree.links());
    String label = down ? local.name("") : there.value();
    try (TreeTransfers transfers =
        TreeTransfers.replacing(server, tree.jobs(), output, options, label)) {
      RemoteSide remote = new RemoteSide(transfers, there, tree.links());
      return run(
          down
              ? new SyncDirection.Down(remote, local, transfers)
              : new SyncDirection.Up(local, remote, transfers),
          transfers);
    } catch (InvalidPathException e) {
      throw new FerryException(ErrorKind.INVALID_PATH, e.getMessage() + "; try LC_ALL=C.UTF-8", e);
    }
  }

  private @Nullable Backup backup(Side to, SyncReport report) throws FerryException {
    if (backupDir == null) {
      return null;
    }
    boolean here = to instanceof LocalSide;
    Path named = Path.of(to.name(""));
    Path root = here ? resolved(named) : Path.of("/").resolve(named);
    Path given = root.resolve(Path.of(backupDir));
    Path folder = here ? resolved(given) : given.normalize();
    if (root.startsWith(folder)) {
      throw arguments.wrongUse(
          BACKUP_DIR + ": '" + backupDir + "' contains TARGET; name a folder in it or next to it");
    }
    Side side =
        to instanceof RemoteSide remote
            ? remote.beside(arguments.storePath(folder.toString().substring(1)))
            : new LocalSide(folder, false);
    return new Backup(
        to, side, folder.startsWith(root) ? root.relativize(folder).toString() : null, report);
  }

  /** Returns an absolute path without the links in the part of it that exists. */
  private static Path resolved(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    for (Path above = whole; above != null; above = above.getParent()) {
      try {
        return above.toRealPath().resolve(above.relativize(whole));
      } catch (IOException e) {
        // It does not exist: the one above may.
        continue;
      }
    }
    return whole;
  }

  private int run(SyncDirection direction, TreeTransfers transfers) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    SyncReport report = new SyncReport(output, transfers, dryRun);
    Side from = direction.source();
    Side to = direction.target();
    Backup backup = backup(to, report);
    Set<String> incomplete = new HashSet<>();
    NameFilter filter = tree.filter().reserving(backup == null ? null : backup.below());
    CopyPass.Comparison comparison =
        compareChecksums ? CopyPass.Comparison.DIGESTS : CopyPass.Comparison.TIMES;
    Refusal refusal = null;
    try (TreeTransfers running = transfers) {
      new CopyPass(direction, comparison, filter, incomplete, backup, running, report).run();
      running.await();
      if (delete && report.missing().failed() > 0) {
        report.deletedNothing(to.name(""));
      } else if (delete) {
        DeletePass pass = new DeletePass(from, to, filter, incomplete, backup, running, report);
        long files = pass.count();
        refusal = refusal(to.name("") + "/", files, report.totals());
        if (refusal != null && !dryRun) {
          throw refusal;
        }
        pass.run(files);
        running.await();
      }
    }
    report.summary(from.name(""), to.name(""), stopwatch.seconds());
    if (refusal != null) {
      throw refusal;
    }
    return report.missing().all() == 0 ? 0 : FailureCode.NOT_ALL.code();
  }

  /** Returns why files are not deleted; null if they are. May ask the user. */
  private @Nullable Refusal refusal(String name, long files, TreeTotals source)
      throws FerryException {
    long others = source.files() + source.unchangedFiles();
    DeleteLimit limit = maxDelete == null ? DeleteLimit.NOT_ALL : maxDelete;
    if (limit.allows(files, others)) {
      return null;
    }
    String what = name + ": " + files + (files == 1 ? " file" : " files") + " would be deleted, ";
    if (others > 0) {
      return new Refusal(
          ErrorKind.NOT_EMPTY,
          what + "over " + MAX_DELETE + " " + limit + "; raise it to allow that");
    }
    what += "which is all, since SOURCE has none";
    try {
      return maxDelete == null
              && !dryRun
              && Question.isPossible()
              && Question.yes(what + "; delete all?", spec.commandLine().getErr())
          ? null
          : new Refusal(ErrorKind.NOT_EMPTY, what + "; " + MAX_DELETE + " 100% allows it");
    } catch (InterruptedException e) {
      throw FerryException.interrupted(name + ": cancelled", e);
    }
  }
}
