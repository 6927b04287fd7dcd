package dev.ferry.bench;

import dev.ferry.lab.Bench;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.report.TextReport;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.RunSetup;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.suite.Plan;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a comparison and prints its tables. */
@Command(
    name = "bench",
    description = {
      "Runs a comparison on this machine and prints its tables.",
      "Starts the embedded servers, moves a file each way and keeps every sample in a run folder."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything was measured",
      "1:a row failed, or the run could not be made",
      "2:wrong use",
      "3:this machine cannot make the network of --network",
      "130:interrupted"
    })
final class BenchCommand implements Callable<Integer> {
  /** The longest time in seconds after Ctrl-C until all results are on disk. */
  private static final int PATIENCE_SECONDS = 10;

  private static final Duration TIME = Duration.ofMinutes(8);
  private static final Duration QUICK_TIME = Duration.ofMinutes(3);
  private static final Duration LEAST_TIME = Duration.ofMinutes(1);

  /** The part of a run's time that is needed before its first fork and after its last one. */
  private static final Duration PREPARATION = Duration.ofSeconds(10);

  private static final DateTimeFormatter FOLDER =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli injects it
  private CommandSpec spec;

  @ArgGroup(validate = false, order = 1, heading = "%nWhat is compared:%n")
  private BenchOptions.What what = new BenchOptions.What();

  @ArgGroup(validate = false, order = 2, heading = "%nHow, and for how long:%n")
  private BenchOptions.HowLong howLong = new BenchOptions.HowLong();

  @ArgGroup(validate = false, order = 3, heading = "%nOutput:%n")
  private BenchOptions.Output output = new BenchOptions.Output();

  private @Nullable RunDocument resumed;

  @Override
  public Integer call() throws IOException {
    try {
      if (output.resume != null) {
        return resume(output.resume);
      }
      boolean answer = what.suites.isEmpty() && what.tables.isEmpty() && what.filters.isEmpty();
      Duration time = time(answer);
      Profile profile =
          howLong.profile != null
              ? Profile.parse(howLong.profile)
              : time != null ? Profile.DEFAULT : Profile.QUICK;
      if (howLong.processes < 1 || howLong.processes > 2) {
        throw LabException.usage(
            "--processes is "
                + howLong.processes
                + "; give 1, or 2 for a server process of its own");
      }
      requireOneFile();
      Profiler profiler = howLong.profiler == null ? null : Profiler.parse(howLong.profiler);
      Network network = howLong.network == null ? null : Networks.parse(howLong.network);
      List<Suite> suites = suites(answer);
      Plan chosen = plan(suites);
      Plan plan = profile == Profile.SMOKE ? chosen : chosen.withControls();
      if (what.list) {
        List<Suite> whole = what.tables.isEmpty() && what.filters.isEmpty() ? suites : List.of();
        BenchList.print(
            spec.commandLine().getOut(), plan, whole, profile, time, fileBytes(), network);
        return ExitCode.OK;
      }
      return run(plan, profile, time, profiler, network);
    } catch (LabException e) {
      return LabErrors.exitCode(spec, e);
    }
  }

  private void requireOneFile() throws LabException {
    Long size = what.fileSize;
    if (size != null && what.file != null) {
      throw LabException.usage("--file and --file-size: give one of them");
    }
    if (size != null && size < 1) {
      throw LabException.usage("--file-size is " + size + "; give at least 1 byte");
    }
  }

  private long generatedBytes() {
    return what.fileSize == null ? TaxiFile.BYTES : what.fileSize;
  }

  private long fileBytes() throws LabException {
    return what.file == null ? generatedBytes() : RunSetup.requireFile(what.file);
  }

  /** Goes on with a run as a command with the same arguments. */
  private int resume(Path folder) throws LabException, IOException {
    if (spec.commandLine().getParseResult().matchedOptions().size() > 1) {
      throw LabException.usage("--resume goes on with the options of the run; give no others");
    }
    RunDocument run = Bench.read(folder);
    if (run.arguments().isEmpty()) {
      throw LabException.failure(
          folder
              + " does not say how it was made, since an older version made it; start a new run");
    }
    if (run.complete()) {
      throw LabException.failure(folder + " is complete; ferry report prints it");
    }
    // The first one is the name of the command.
    List<String> arguments = run.arguments().subList(1, run.arguments().size());
    BenchCommand again = new BenchCommand();
    new CommandLine(again).parseArgs(arguments.toArray(String[]::new));
    again.spec = spec;
    again.resumed = run;
    again.output.folder = folder;
    again.output.resume = null;
    return again.call();
  }

  /** Returns how long the rows may run; null for all rounds of the profile. */
  private @Nullable Duration time(boolean answer) throws LabException {
    if (howLong.quick && (howLong.time != null || howLong.profile != null)) {
      throw LabException.usage("--quick is --time 3m; give neither --time nor --profile with it");
    }
    if (howLong.time != null && howLong.time.compareTo(LEAST_TIME) < 0) {
      throw LabException.usage("--time is %s; give a minute at least".formatted(howLong.time));
    }
    Duration whole =
        howLong.time != null
            ? howLong.time
            : howLong.quick ? QUICK_TIME : answer && howLong.profile == null ? TIME : null;
    return whole == null ? null : whole.minus(PREPARATION);
  }

  private List<Suite> suites(boolean answer) throws LabException {
    List<Suite> suites = new ArrayList<>();
    List<String> names =
        !what.suites.isEmpty() ? what.suites : List.of(answer ? "answer" : "file-transfer");
    for (String name : names) {
      suites.addAll(Suites.named(name));
    }
    return suites;
  }

  private Plan plan(List<Suite> suites) throws LabException {
    List<RowFilter> filters = new ArrayList<>();
    for (String text : what.filters) {
      filters.add(RowFilter.parse(text, suites));
    }
    return what.tables.isEmpty()
        ? Plan.of(suites, filters)
        : Plan.ofTables(suites, what.tables, filters);
  }

  private int run(
      Plan plan,
      Profile profile,
      @Nullable Duration time,
      @Nullable Profiler profiler,
      @Nullable Network network)
      throws LabException, IOException {
    Clock clock = Clock.systemUTC();
    Path folder =
        output.folder == null
            ? Path.of("results", FOLDER.format(clock.instant()) + "-" + profile.label())
            : output.folder;
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
                    new BenchRequest(
                        plan,
                        profile,
                        howLong.pin || network != null ? 2 : howLong.processes,
                        howLong.pin,
                        network,
                        profiler,
                        what.file,
                        generatedBytes(),
                        folder,
                        output.workFolder,
                        howLong.threshold,
                        time,
                        resumed == null ? arguments() : resumed.arguments(),
                        resumed,
                        output.open ? this::show : null),
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

  private void show(Path page) {
    if (!Browser.show(page)) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          spec.qualifiedName()
              + ": --open: no browser could be started; open "
              + page.toAbsolutePath());
      err.flush();
    }
  }

  /** Returns the arguments of this command, which begin with its name. */
  private List<String> arguments() {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    // --debug may come before the name.
    return all.subList(all.indexOf(spec.name()), all.size());
  }

  private void print(RunDocument run, Path folder) {
    PrintWriter text = spec.commandLine().getOut();
    text.println(TextReport.console(run));
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
      // The process is ending because of Ctrl-C. The shutdown hook already runs and completes the
      // work.
      return;
    }
  }
}
