package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.SharedDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.cli.tree.TreeVisitor;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Downloads what is in a directory of a server. It ends at the first failure. */
record GetTree(ServerOptions server, OverwriteFlags overwrite, TreeFlags tree, OutputFlags output) {
  /**
   * Downloads the files.
   *
   * @param options the options of each transfer
   */
  void run(StorePath source, Path target, TransferOptions options) throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    TreeTotals totals = new TreeTotals();
    RemoteTree files =
        new RemoteTree(
            (directory, entries) -> {
              boolean unused =
                  server.call(
                      carrier -> {
                        carrier.list(directory, entries);
                        return true;
                      });
            },
            tree.filter());
    try (ProgressDisplay progress = output.progress(target.toString());
        CarrierPool.Kept kept = server.keepConnections();
        ParallelTasks tasks = new ParallelTasks(tree.jobs())) {
      SharedDisplay shared = new SharedDisplay(progress);
      files.walk(
          source,
          new TreeVisitor<>() {
            @Override
            public void directory(String path) throws FerryException {
              makeDirectories(target.resolve(path));
            }

            @Override
            public void file(String path, FileFacts facts) throws FerryException {
              Path file = target.resolve(path);
              tasks.begin(() -> get(new StorePath(facts.name()), file, shared.begin()));
            }

            private void get(StorePath path, Path file, ProgressDisplay one) throws FerryException {
              TransferReport report =
                  new TransferReport(output, path.value(), file.toString(), totals);
              TransferOptions shown = options.withMakeParents(true).withProgress(one);
              new GetFile(server, overwrite, 1, path, file, shown, one, report).run();
            }
          });
      tasks.await();
    }
    output.summary(source + "/ -> " + target + "/: " + totals.text(stopwatch.seconds()));
  }

  private static void makeDirectories(Path folder) throws FerryException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw FerryException.of(e, folder.toString());
    }
  }
}
