package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.SharedDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.LocalTree;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.cli.tree.TreeVisitor;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.nio.file.Path;

/** Uploads what is in a local directory. It ends at the first failure. */
record PutTree(ServerOptions server, OverwriteFlags overwrite, TreeFlags tree, OutputFlags output) {
  /**
   * Uploads the files.
   *
   * @param options the options of each transfer
   */
  void run(Path source, StorePath target, TransferOptions options) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    TreeTotals totals = new TreeTotals();
    LocalTree files = new LocalTree(tree.filter(), output::note);
    try (ProgressDisplay progress = output.progress(target.value());
        CarrierPool.Kept kept = server.keepConnections();
        ParallelTasks tasks = new ParallelTasks(tree.jobs())) {
      SharedDisplay shared = new SharedDisplay(progress);
      files.walk(
          source,
          new TreeVisitor<>() {
            @Override
            public void directory(String path) throws FerryException {
              StorePath folder = path(target, path);
              if (!folder.equals(StorePath.ROOT)) {
                tasks.begin(() -> make(folder));
              }
            }

            private void make(StorePath folder) throws FerryException {
              boolean unused =
                  server.call(
                      carrier -> {
                        carrier.makeDirectory(folder, true);
                        return true;
                      });
            }

            @Override
            public void file(String path, Path file) throws FerryException {
              StorePath stored = path(target, path);
              tasks.begin(() -> put(file, stored, shared.begin()));
            }

            private void put(Path file, StorePath stored, ProgressDisplay one)
                throws FerryException {
              TransferReport report =
                  new TransferReport(output, file.toString(), stored.value(), totals);
              TransferOptions shown = options.withMakeParents(true).withProgress(one);
              new PutFile(server, overwrite, file, stored, shown, one, report).run();
            }
          });
      tasks.await();
    }
    output.summary(source + "/ -> " + target + "/: " + totals.text(stopwatch.seconds()));
  }

  /**
   * Returns the path on the server.
   *
   * @throws FerryException if a local name cannot be one on a server
   */
  private static StorePath path(StorePath target, String below) throws FerryException {
    return below.isEmpty() ? target : StorePath.parse(target.child(below).value());
  }
}
