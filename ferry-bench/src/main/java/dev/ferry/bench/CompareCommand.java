package dev.ferry.bench;

import dev.ferry.core.FerryException;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.ComparisonText;
import dev.ferry.lab.stats.RunComparison;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Compares runs. */
@Command(
    name = "compare",
    description = {
      "Compares the rows of runs with those of the first run, and says what else differs.",
      "With --gate the exit code says whether a row became slower, for CI. It is 1 only on"
          + " evidence, so an unchanged build passes in at least 19 of 20 cases."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:without --gate: the runs were read; with it: no row is slower for certain",
      "1:with --gate: a row is slower for certain; without it: a run cannot be read",
      "2:wrong use; with --gate also: a run cannot be read",
      "3:with --gate: the runs are not comparable",
      "4:with --gate --strict: a row may be slower"
    })
final class CompareCommand implements Callable<Integer> {
  private static final String SLOWER = "slower=";
  private static final int NOT_COMPARABLE = 3;
  private static final int NOT_PROVEN = 4;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "2..*",
      paramLabel = "RUN",
      description = "The run folders; the first one is that before the change.")
  private List<Path> folders = List.of();

  @Option(
      names = "--gate",
      paramLabel = "slower=PERCENT",
      description =
          "Fail if a row is slower by more than this for certain, for instance slower=5%%.")
  private @Nullable String gate;

  @Option(
      names = "--strict",
      description =
          "Make the gate fail also if a row may be slower by more than this. It passes only with"
              + " the proof that none is, which needs many forks.")
  private boolean strict;

  @Override
  public Integer call() throws FerryException {
    if (strict && gate == null) {
      throw new ParameterException(
          spec.commandLine(), "--strict is a form of the gate; give --gate slower=5% with it");
    }
    double threshold = gate == null ? Criteria.DEFAULT_THRESHOLD : threshold(gate);
    PrintWriter out = spec.commandLine().getOut();
    try {
      RunDocument before = Bench.read(folders.get(0));
      int worst = ExitCode.OK;
      for (Path folder : folders.subList(1, folders.size())) {
        RunComparison runs = RunComparison.of(before, Bench.read(folder), threshold);
        out.println(folders.get(0) + " and " + folder);
        out.println(ComparisonText.render(runs));
        if (gate != null) {
          out.println(ComparisonText.gate(runs, strict));
        }
        worst = worse(worst, exitCode(runs));
      }
      out.flush();
      return gate == null ? ExitCode.OK : worst;
    } catch (LabException e) {
      if (gate == null) {
        throw LabErrors.failure(spec, e);
      }
      // 1 would mean that a row is slower.
      throw LabErrors.wrongUse(spec, e);
    }
  }

  private double threshold(String text) {
    if (!text.startsWith(SLOWER)) {
      throw new ParameterException(
          spec.commandLine(), "--gate: '" + text + "' is not slower=PERCENT, such as slower=5%");
    }
    try {
      return new PercentConverter().convert(text.substring(SLOWER.length()));
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), "--gate: " + e.getMessage(), e);
    }
  }

  private int exitCode(RunComparison runs) {
    if (!runs.obstacles().isEmpty()) {
      return NOT_COMPARABLE;
    }
    if (runs.has(Verdict.SLOWER)) {
      return ExitCode.SOFTWARE;
    }
    if (runs.has(Verdict.NOT_COMPARABLE)) {
      return NOT_COMPARABLE;
    }
    return strict && !runs.perhapsSlower().isEmpty() ? NOT_PROVEN : ExitCode.OK;
  }

  /** A slower row is worse than runs that cannot be compared, and these than a missing proof. */
  private static int worse(int a, int b) {
    return a == ExitCode.SOFTWARE || b == ExitCode.SOFTWARE
        ? ExitCode.SOFTWARE
        : a == NOT_COMPARABLE || b == NOT_COMPARABLE ? NOT_COMPARABLE : Math.max(a, b);
  }
}
