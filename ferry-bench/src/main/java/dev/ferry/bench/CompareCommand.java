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

/** Compares runs. */
@Command(
    name = "compare",
    description = {
      "Compares the rows of runs with those of the first run, and says what else differs.",
      "With --gate the exit code says whether a row became slower, for CI."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no row is slower, or no gate was given",
      "1:a row is slower",
      "2:wrong use",
      "3:the runs are not comparable",
      "4:no row is slower, but not all rows are decided"
    })
final class CompareCommand implements Callable<Integer> {
  private static final String SLOWER = "slower=";
  private static final int NOT_COMPARABLE = 3;
  private static final int NOT_DECIDED = 4;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli injects it
  private CommandSpec spec;

  @Parameters(
      arity = "2..*",
      paramLabel = "RUN",
      description = "The run folders; the first one is that before the change.")
  private List<Path> folders = List.of();

  @Option(
      names = "--gate",
      paramLabel = "slower=PERCENT",
      description = "Fail if a row is slower by more than this, for instance slower=5%%.")
  private @Nullable String gate;

  @Override
  public Integer call() throws FerryException {
    double threshold = gate == null ? Criteria.DEFAULT_THRESHOLD : threshold(gate);
    PrintWriter out = spec.commandLine().getOut();
    try {
      RunDocument before = Bench.read(folders.get(0));
      int worst = ExitCode.OK;
      for (Path folder : folders.subList(1, folders.size())) {
        RunComparison runs = RunComparison.of(before, Bench.read(folder), threshold);
        out.println(folders.get(0) + " and " + folder);
        out.println(ComparisonText.render(runs));
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
    return new PercentConverter().convert(text.substring(SLOWER.length()));
  }

  private static int exitCode(RunComparison runs) {
    if (!runs.obstacles().isEmpty() || runs.has(Verdict.NOT_COMPARABLE)) {
      return NOT_COMPARABLE;
    }
    if (runs.has(Verdict.SLOWER)) {
      return ExitCode.SOFTWARE;
    }
    return runs.has(Verdict.NOT_DECIDED) ? NOT_DECIDED : ExitCode.OK;
  }

  /** A slower row is worse than runs that cannot be compared, and these than open verdicts. */
  private static int worse(int a, int b) {
    return a == ExitCode.SOFTWARE || b == ExitCode.SOFTWARE
        ? ExitCode.SOFTWARE
        : a == NOT_COMPARABLE || b == NOT_COMPARABLE ? NOT_COMPARABLE : Math.max(a, b);
  }
}
