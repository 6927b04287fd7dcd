package dev.ferry.bench;

import dev.ferry.core.FerryException;
import dev.ferry.lab.Bench;
import dev.ferry.lab.judge.Judge;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Printable;
import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Judges published tables. */
@Command(
    name = "judge",
    description = {
      "Says what published benchmark tables can and cannot claim.",
      "Reads tables of BenchmarkDotNet in Markdown or AsciiDoc, and shows their rows next to those"
          + " of a run.",
      "Tables that cannot be read are left out and reported, and the exit code is then 1."
    })
final class JudgeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The reports.")
  private List<Path> files;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description =
          "A run folder: show its rows next to those with the same names. Repeatable: each table is"
              + " compared with the run that contains most of its rows.")
  private List<Path> folders = List.of();

  @Option(names = "--markdown", description = "Print Markdown.")
  private boolean markdown;

  @Override
  public Integer call() throws FerryException {
    try {
      List<RunDocument> runs = new ArrayList<>();
      for (Path folder : folders) {
        runs.add(Bench.read(folder));
      }
      List<Judge.Report> reports = new ArrayList<>();
      boolean all = true;
      for (Path file : files) {
        try {
          reports.add(
              new Judge.Report(Printable.of(String.valueOf(file.getFileName())), text(file)));
        } catch (LabException e) {
          all = false;
          LabErrors.say(spec, Printable.of(String.valueOf(e.getMessage())));
        }
      }
      PrintWriter out = spec.commandLine().getOut();
      Judge.Judgement judgement = Judge.judge(reports, runs, markdown);
      out.print(judgement.text());
      out.flush();
      List<String> unread = judgement.unread();
      if (!unread.isEmpty()) {
        throw LabException.failure(
            unread.get(0)
                + (unread.size() == 1 ? "" : " (and %d more)".formatted(unread.size() - 1)));
      }
      return all ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (LabException e) {
      throw LabErrors.failure(spec, e);
    }
  }

  private static String text(Path file) throws LabException {
    if (!Files.isRegularFile(file)) {
      throw LabException.failure(file + " is not a file; name a report in Markdown");
    }
    try {
      return Files.readString(file);
    } catch (MalformedInputException e) {
      throw LabException.failure(file + " is not UTF-8 text; save it as UTF-8", e);
    } catch (IOException e) {
      throw LabException.failure(
          String.valueOf(FerryException.of(e, file.toString()).getMessage()), e);
    }
  }
}
