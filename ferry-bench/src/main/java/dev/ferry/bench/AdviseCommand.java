package dev.ferry.bench;

import dev.ferry.core.FerryException;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.ShortReport;
import dev.ferry.suites.advice.Advice;
import dev.ferry.suites.advice.Purpose;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what to do according to a run. */
@Command(
    name = "advise",
    description = "Says what a run answers: which method is fastest, and whether to compress.")
final class AdviseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "The run folder.")
  private Path folder;

  @Option(
      names = "--for",
      paramLabel = "PURPOSE",
      description =
          "Advice for downloads, uploads, small-calls or streams (default: for all). Repeatable.")
  private List<String> purposes = List.of();

  @Override
  public Integer call() throws FerryException {
    try {
      Set<Purpose> chosen = EnumSet.noneOf(Purpose.class);
      for (String label : purposes) {
        chosen.add(Purpose.parse(label));
      }
      PrintWriter out = spec.commandLine().getOut();
      RunDocument run = Bench.read(folder);
      List<String> advice =
          Advice.of(run, chosen.isEmpty() ? EnumSet.allOf(Purpose.class) : chosen);
      // The answer comes first.
      out.println(advice.get(0));
      ShortReport.warnings(run).forEach(out::println);
      advice.stream().skip(1).forEach(out::println);
      out.flush();
      return ExitCode.OK;
    } catch (LabException e) {
      throw LabErrors.failure(spec, e);
    }
  }
}
