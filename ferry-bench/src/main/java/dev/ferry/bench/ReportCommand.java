package dev.ferry.bench;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Renders the reports of a run again. */
@Command(
    name = "report",
    description = "Renders the reports of a run folder again and prints its tables.")
final class ReportCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli injects it
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "The run folder.")
  @SuppressWarnings("NullAway.Init") // picocli requires it
  private Path folder;

  @Override
  public Integer call() throws IOException {
    try {
      RunDocument run = Bench.report(folder);
      PrintWriter out = spec.commandLine().getOut();
      out.println(Bench.text(run));
      out.flush();
      return run.failed() ? ExitCode.SOFTWARE : ExitCode.OK;
    } catch (LabException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }
}
