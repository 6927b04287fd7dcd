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
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
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

  /** A call without a result. */
  @FunctionalInterface
  private interface Call {
    void run(Carrier carrier) throws FerryException;
  }

  /** Downloads what is in a directory of the server. */
  void get(StorePath source, Path target) throws FerryException {
    RemoteTree files =
        new RemoteTree(
            (directory, entries) -> call(carrier -> carrier.list(directory, entries)),
            tree.filter());
    run(
        source.value(),
        target.toString(),
        (tasks, shared, totals) ->
            files.walk(
                source,
                new TreeVisitor<>() {
                  @Override
                  public void directory(String path) throws FerryException {
                    makeDirectory(target, path);
                  }

                  @Override
                  public void file(String path, FileFacts facts) throws FerryException {
                    StorePath stored = new StorePath(facts.name());
                    Path file = target.resolve(path);
                    TransferReport report =
                        new TransferReport(output, facts.name(), file.toString(), totals);
                    tasks.begin(() -> getFile(stored, file, shared.begin(), report));
                  }
                }));
  }

  private void getFile(StorePath stored, Path file, ProgressDisplay shown, TransferReport report)
      throws FerryException {
    new GetFile(server, overwrite, 1, stored, file, options(shown), shown, report).run();
  }

  private static void makeDirectory(Path target, String path) throws FerryException {
    Path folder = target.resolve(path);
    if (!path.isEmpty() && Files.isSymbolicLink(folder)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          folder + ": is a symbolic link, which a download does not follow; remove it");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw FerryException.of(e, folder.toString());
    }
  }

  /** Uploads what is in a local directory. */
  void put(Path source, StorePath target) throws FerryException {
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
                    StorePath folder = path(target, path);
                    if (!folder.equals(StorePath.ROOT)) {
                      tasks.begin(() -> call(carrier -> carrier.makeDirectory(folder, true)));
                    }
                  }

                  @Override
                  public void file(String path, Path file) throws FerryException {
                    StorePath stored = path(target, path);
                    TransferReport report =
                        new TransferReport(output, file.toString(), stored.value(), totals);
                    tasks.begin(() -> putFile(file, stored, shared.begin(), report));
                  }
                }));
  }

  private void putFile(Path file, StorePath stored, ProgressDisplay shown, TransferReport report)
      throws FerryException {
    new PutFile(server, overwrite, file, stored, options(shown), shown, report).run();
  }

  /**
   * Returns a path on the server.
   *
   * @throws FerryException if a local name cannot be one on a server
   */
  private static StorePath path(StorePath target, String below) throws FerryException {
    return below.isEmpty() ? target : StorePath.parse(target.child(below).value());
  }

  private TransferOptions options(ProgressDisplay shown) {
    return transfer.withMakeParents(true).withProgress(shown);
  }

  private void call(Call call) throws FerryException {
    boolean unused =
        server.call(
            carrier -> {
              call.run(carrier);
              return true;
            });
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
