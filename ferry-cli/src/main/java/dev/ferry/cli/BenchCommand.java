package dev.ferry.cli;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.Bench;
import dev.ferry.lab.BenchRequest;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.suite.Plan;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a comparison and prints its tables. */
@Command(
    name = "bench",
    description = {
      "Runs a comparison on this machine and prints its tables.",
      "Starts the embedded servers, moves a file each way and keeps every sample in a run folder."
    })
final class BenchCommand implements Callable<Integer> {
  /** Longest time after Ctrl-C until what was measured is on disk, in seconds. */
  private static final int PATIENCE_SECONDS = 10;

  private static final DateTimeFormatter FOLDER =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli injects it
  private CommandSpec spec;

  @Option(
      names = "--suite",
      paramLabel = "NAME",
      defaultValue = "file-transfer",
      description = "What to compare, or all; repeatable; default: ${DEFAULT-VALUE}.")
  private List<String> suiteNames = List.of();

  @Option(
      names = "--filter",
      paramLabel = "KEY=VALUE[,...]",
      description = {
        "Keep rows with all of these values, for instance",
        "table=download,BufferSize=65536,method=ZeroCopy. Repeatable: rows that any filter keeps;",
        "the baseline of a kept row is always kept. Without table= it is about the main tables,",
        "unless they have no such row; --list names the others."
      })
  private List<String> filterTexts = List.of();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "quick",
      description = "How much to measure: quick, standard or full; default: ${DEFAULT-VALUE}.")
  private String profileName = "quick";

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "2 gives the server of each row a JVM of its own, and shows heap, collections, CPU and",
        "direct memory by side; default: ${DEFAULT-VALUE}, both ends in one JVM."
      })
  private int processes = 1;

  @Option(
      names = "--profiler",
      paramLabel = "NAME",
      description = {
        "Watch the samples of every row: async (a flame graph, by async-profiler) or jfr (a Flight",
        "Recorder recording), in the run folder under profiles/. Disturbs the figures."
      })
  private @Nullable String profilerName;

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description = "The file to move; default: a generated one of 25,060,966 bytes.")
  private @Nullable Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run folder, new or empty; default: a new one under results/.")
  private @Nullable Path out;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description = "Where temporary files go; default: the system's temporary folder.")
  private Path workFolder = Path.of(System.getProperty("java.io.tmpdir", "."));

  @Option(
      names = "--list",
      description = "Only list the tables, the rows and the time they are expected to take.")
  private boolean list;

  @Override
  public Integer call() throws IOException {
    try {
      Profile profile = Profile.parse(profileName);
      if (processes < 1 || processes > 2) {
        throw LabException.usage(
            "--processes is " + processes + "; give 1, or 2 for a server process of its own");
      }
      Profiler profiler = profilerName == null ? null : Profiler.parse(profilerName);
      List<Suite> suites = suites();
      Plan plan = plan(suites);
      if (list) {
        List<Suite> whole = filterTexts.isEmpty() ? suites : List.of();
        BenchList.print(spec.commandLine().getOut(), plan, whole, profile);
        return ExitCode.OK;
      }
      return run(plan, profile, profiler);
    } catch (LabException e) {
      if (e.usage()) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
      throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  private List<Suite> suites() throws LabException {
    List<Suite> suites = new ArrayList<>();
    for (String name : suiteNames) {
      suites.addAll(Suites.named(name));
    }
    return suites;
  }

  private Plan plan(List<Suite> suites) throws LabException {
    List<RowFilter> filters = new ArrayList<>();
    for (String text : filterTexts) {
      filters.add(RowFilter.parse(text, suites));
    }
    return Plan.of(suites, filters);
  }

  private int run(Plan plan, Profile profile, @Nullable Profiler profiler)
      throws LabException, IOException {
    Clock clock = Clock.systemUTC();
    Path folder =
        out == null
            ? Path.of("results", FOLDER.format(clock.instant()) + "-" + profile.label())
            : out;
    Cancellation cancellation = new Cancellation();
    Thread hook =
        new Thread(
            () -> {
              if (!cancellation.cancel(PATIENCE_SECONDS)) {
                System.err.println("ferry: gave up waiting for the run to clean up");
              }
            },
            "ferry-bench-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      RunDocument run;
      try (BenchProgress progress = BenchProgress.open(spec)) {
        run =
            new Bench(clock)
                .run(
                    new BenchRequest(plan, profile, processes, profiler, file, folder, workFolder),
                    progress,
                    cancellation);
      }
      print(run, folder);
      return run.failed() ? ExitCode.SOFTWARE : ExitCode.OK;
    } finally {
      cancellation.ended();
      forget(hook);
    }
  }

  private void print(RunDocument run, Path folder) {
    PrintWriter text = spec.commandLine().getOut();
    text.println(Bench.text(run));
    text.println("Run folder: " + folder + " (report.html has the charts)");
    text.flush();
    if (!run.complete()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(spec.qualifiedName() + ": interrupted; what was measured is in " + folder);
      err.flush();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending because of Ctrl-C: the hook runs already, and ends as well.
      return;
    }
  }
}
