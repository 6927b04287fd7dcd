package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.SharedDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.LocalTree;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.cli.tree.TreeVisitor;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Copies what is in a directory, several files at a time. It goes on after failures that are about
 * one file alone.
 *
 * @param transfer the options of each transfer
 */
record TreeCopy(
    ServerOptions server,
    OverwriteFlags overwrite,
    TreeFlags tree,
    OutputFlags output,
    TransferOptions transfer) {
  /** The walk of a tree, which begins a task for each file. */
  @FunctionalInterface
  private interface Walk {
    void run(ParallelTasks tasks, SharedDisplay shared, TreeTotals totals, MissingNames missing)
        throws FerryException;
  }

  /** Downloads what is in a directory of the server. Returns the exit code. */
  int get(StorePath source, Path target) throws FerryException {
    TreeTransfers transfers = transfers();
    return run(
        source.value(),
        target.toString(),
        (tasks, shared, totals, missing) ->
            new RemoteTree(transfers.lister(), tree.filter(), tree.links(), missing)
                .walk(
                    source,
                    new TreeVisitor<>() {
                      @Override
                      public boolean directory(String path) throws FerryException {
                        Path folder = target.resolve(path);
                        if (path.isEmpty()) {
                          TreeTransfers.makeDirectory(folder);
                          return true;
                        }
                        return missing.succeeds(
                            () -> {
                              if (Files.isSymbolicLink(folder)) {
                                throw TreeTransfers.isLink(folder);
                              }
                              TreeTransfers.makeDirectory(folder);
                            });
                      }

                      @Override
                      public void file(String path, FileFacts facts) throws FerryException {
                        StorePath stored = new StorePath(facts.name());
                        Path file = target.resolve(path);
                        tasks.begin(
                            () ->
                                missing.attempt(
                                    () -> transfers.get(stored, file, shared.begin(), totals)));
                      }

                      @Override
                      public void link(String path, FileFacts facts, String to)
                          throws FerryException {
                        Path link = target.resolve(path);
                        tasks.begin(
                            () ->
                                missing.attempt(
                                    () -> transfers.getLink(facts.name(), link, to, totals)));
                      }
                    }));
  }

  /** Uploads what is in a local directory. Returns the exit code. */
  int put(Path source, StorePath target) throws FerryException {
    TreeTransfers transfers = transfers();
    return run(
        source.toString(),
        target.value(),
        (tasks, shared, totals, missing) ->
            new LocalTree(target, tree.filter(), tree.links(), missing)
                .walk(
                    source,
                    new TreeVisitor<>() {
                      @Override
                      public boolean directory(String path) throws FerryException {
                        StorePath folder = TreeTransfers.path(target, path);
                        ParallelTasks.Task make = () -> transfers.makeDirectory(folder);
                        tasks.begin(path.isEmpty() ? make : () -> missing.attempt(make));
                        return true;
                      }

                      @Override
                      public void file(String path, Path file) throws FerryException {
                        StorePath stored = TreeTransfers.path(target, path);
                        tasks.begin(
                            () ->
                                missing.attempt(
                                    () -> transfers.put(file, stored, shared.begin(), totals)));
                      }

                      @Override
                      public void link(String path, Path link, String to) throws FerryException {
                        StorePath stored = TreeTransfers.path(target, path);
                        tasks.begin(
                            () ->
                                missing.attempt(() -> transfers.putLink(link, stored, to, totals)));
                      }
                    }));
  }

  private TreeTransfers transfers() {
    return new TreeTransfers(server, overwrite, output, transfer);
  }

  private int run(String source, String target, Walk walk) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    TreeTotals totals = new TreeTotals();
    MissingNames missing = new MissingNames(output);
    try (ProgressDisplay progress = output.progress(target);
        CarrierPool.Kept unused = server.keepConnections();
        ParallelTasks tasks = new ParallelTasks(tree.jobs())) {
      walk.run(tasks, new SharedDisplay(progress), totals, missing);
      tasks.await();
    }
    output.summary(
        source + "/ -> " + target + "/: " + totals.text(stopwatch.seconds()) + missing.text());
    return missing.all() == 0 ? 0 : FailureCode.NOT_ALL.code();
  }
}
