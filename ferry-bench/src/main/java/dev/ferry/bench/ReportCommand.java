package dev.ferry.bench;

import dev.ferry.lab.Bench;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.Export;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.report.ShortReport;
import dev.ferry.lab.report.TextReport;
import dev.ferry.suites.advice.Advice;
import dev.ferry.suites.advice.MethodNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Renders the reports of a run again. */
@Command(
    name = "report",
    description = {
      "Writes the reports of a run folder again and prints its answer and its tables.",
      "With --csv, --bdn or --jmh it writes only that. '-' is standard output."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it was rendered",
      "1:the same, but a row of the run failed; or the run cannot be read",
      "2:wrong use"
    })
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "The run folder.")
  private Path folder;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the rows as CSV.")
  private @Nullable Path csv;

  @Option(
      names = "--bdn",
      paramLabel = "FILE",
      description = "Write the JSON of BenchmarkDotNet (*-report-full.json).")
  private @Nullable Path benchmarkDotNet;

  @Option(names = "--jmh", paramLabel = "FILE", description = "Write the JSON of JMH (-rf json).")
  private @Nullable Path jmh;

  @Option(
      names = {"-v", "--verbose"},
      description = BenchOptions.VERBOSE)
  private boolean verbose;

  @Override
  public Integer call() throws IOException {
    try {
      PrintWriter out = spec.commandLine().getOut();
      if (csv != null || benchmarkDotNet != null || jmh != null) {
        RunDocument run = Bench.read(folder);
        export(Export.CSV, csv, run, out);
        export(Export.BENCHMARK_DOT_NET, benchmarkDotNet, run, out);
        export(Export.JMH, jmh, run, out);
        return ExitCode.OK;
      }
      RunDocument run = new Bench(Clock.systemUTC(), MethodNames::of, Advice::of).report(folder);
      out.println(verbose ? TextReport.console(run) : ShortReport.render(run));
      out.println();
      out.println(BenchCommand.where(folder));
      out.flush();
      return run.failed() ? ExitCode.SOFTWARE : ExitCode.OK;
    } catch (LabException e) {
      throw LabErrors.failure(spec, e);
    }
  }

  private static void export(Export format, @Nullable Path file, RunDocument run, PrintWriter out)
      throws LabException {
    if (file == null) {
      return;
    }
    if (file.toString().equals("-")) {
      out.print(format.render(run));
      out.flush();
    } else {
      try {
        RunJson.replace(file, format.render(run));
      } catch (IOException e) {
        throw LabException.failure(file + " cannot be written; name another file", e);
      }
    }
  }
}
