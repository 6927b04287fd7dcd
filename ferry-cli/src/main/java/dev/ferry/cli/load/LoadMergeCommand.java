package dev.ferry.cli.load;

import dev.ferry.cli.client.ServerOptions;
import dev.ferry.cli.program.TemporaryFolder;
import dev.ferry.core.FerryException;
import dev.ferry.load.Merge;
import dev.ferry.load.MergedReport;
import dev.ferry.load.ReportJson;
import dev.ferry.load.WorkerFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Merges the results of several workers. */
@Command(
    name = "merge",
    description = {
      "Merges the results of the workers of one load.",
      "Percentiles are those of all samples together. Workers that are missing or were ended early"
          + " are named, and then the exit code is 1."
    })
final class LoadMergeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;

  @Parameters(
      paramLabel = "DIR",
      description =
          "The folder with worker-1, worker-2 and so on, which --out named: a local one, or the"
              + " address of one on a server, such as ferry://HOST/FOLDER.")
  private Path folder;

  @Option(names = "--json", description = "Print one JSON object instead of text.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report also to this file, as a page for a browser.")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException {
    MergedReport report = merged();
    if (json) {
      spec.commandLine().getOut().println(ReportJson.of(report));
    } else {
      new LoadText(spec.commandLine().getOut()).print(report);
    }
    Path page = html;
    if (page != null) {
      try {
        WorkerFolder.write(page, LoadPage.of(report));
      } catch (IOException e) {
        throw FerryException.of(e, "--html: " + page);
      }
    }
    return report.complete() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private MergedReport merged() throws IOException {
    String address = ServerOptions.address(folder);
    if (address == null) {
      return Merge.of(folder);
    }
    TemporaryFolder local = TemporaryFolder.create("ferry-load-results-");
    try {
      new RemoteResults(server, address, server.directoryPath(address)).getWorkers(local.path());
      return Merge.of(local.path());
    } finally {
      local.delete();
    }
  }
}
