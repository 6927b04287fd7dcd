package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.SharedDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.LocalTree;
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
 * Copies what is in a directory, several files at a time. It ends at the first failure.
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
    void run(ParallelTasks tasks, SharedDisplay shared, TreeTotals totals) throws FerryException;
  }

  /** Downloads what is in a directory of the server. */
  void get(StorePath source, Path target) throws FerryException {
    TreeTransfers transfers = transfers();
    RemoteTree files = new RemoteTree(transfers.lister(), tree.filter());
    run(
        source.value(),
        target.toString(),
        (tasks, shared, totals) ->
            files.walk(
                source,
                new TreeVisitor<>() {
                  @Override
                  public void directory(String path) throws FerryException {
                    Path folder = target.resolve(path);
                    if (!path.isEmpty() && Files.isSymbolicLink(folder)) {
                      throw TreeTransfers.isLink(folder);
                    }
                    TreeTransfers.makeDirectory(folder);
                  }

                  @Override
                  public void file(String path, FileFacts facts) throws FerryException {
                    StorePath stored = new StorePath(facts.name());
                    Path file = target.resolve(path);
                    tasks.begin(() -> transfers.get(stored, file, null, shared.begin(), totals));
                  }
                }));
  }

  /** Uploads what is in a local directory. */
  void put(Path source, StorePath target) throws FerryException {
    TreeTransfers transfers = transfers();
    LocalTree files = new LocalTree(tree.filter(), output::note);
    run(
        source.toString(),
        target.value(),
        (tasks, shared, totals) ->
            files.walk(
                source,
                new TreeVisitor<>() {
                  @Override
                  public void directory(String path) throws FerryException {
                    StorePath folder = TreeTransfers.path(target, path);
                    tasks.begin(() -> transfers.makeDirectory(folder));
                  }

                  @Override
                  public void file(String path, Path file) throws FerryException {
                    StorePath stored = TreeTransfers.path(target, path);
                    tasks.begin(() -> transfers.put(file, stored, shared.begin(), totals));
                  }
                }));
  }

  private TreeTransfers transfers() {
    return new TreeTransfers(server, overwrite, output, transfer);
  }

  private void run(String source, String target, Walk walk) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    TreeTotals totals = new TreeTotals();
    try (ProgressDisplay progress = output.progress(target);
        CarrierPool.Kept unused = server.keepConnections();
        ParallelTasks tasks = new ParallelTasks(tree.jobs())) {
      walk.run(tasks, new SharedDisplay(progress), totals);
      tasks.await();
    }
    output.summary(source + "/ -> " + target + "/: " + totals.text(stopwatch.seconds()));
  }
}
