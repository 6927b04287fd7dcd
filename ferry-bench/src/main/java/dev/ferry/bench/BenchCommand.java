package dev.ferry.bench;

import dev.ferry.lab.Bench;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.report.ShortReport;
import dev.ferry.lab.report.TextReport;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.TableSettings;
import dev.ferry.suites.advice.Advice;
import dev.ferry.suites.advice.MethodNames;
import dev.ferry.suites.url.ShownUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Runs a comparison and prints its tables. */
@Command(
    name = "bench",
    description = {
      "Compares gRPC and HTTP on this machine and says which are the fastest.",
      "Moves a file in both directions between its own servers and clients, and keeps every sample"
          + " in a run folder."
    },
    subcommands = {
      ReportCommand.class,
      AdviseCommand.class,
      CompareCommand.class,
      JudgeCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything was measured",
      "1:a row failed, or the run could not start",
      "2:wrong use",
      "3:this machine cannot make the network of --network",
      "130:interrupted"
    })
final class BenchCommand implements Callable<Integer> {
  private static final DateTimeFormatter FOLDER =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Spec private CommandSpec spec;

  @ArgGroup(validate = false, order = 1, heading = "%nWhat is compared:%n")
  private BenchOptions.What what = new BenchOptions.What();

  @ArgGroup(validate = false, order = 2, heading = "%nYour settings, in place of the tables':%n")
  private SettingOptions settings = new SettingOptions();

  @ArgGroup(validate = false, order = 3, heading = "%nHow, and for how long:%n")
  private BenchOptions.HowLong howLong = new BenchOptions.HowLong();

  @ArgGroup(validate = false, order = 4, heading = "%nThe JVMs that measure:%n")
  private JvmOptions java = new JvmOptions();

  @ArgGroup(validate = false, order = 5, heading = "%nServers on another machine:%n")
  private HostOptions host = new HostOptions();

  @ArgGroup(validate = false, order = 6, heading = "%nA server that is already there:%n")
  private UrlOptions server = new UrlOptions();

  @ArgGroup(validate = false, order = 7, heading = "%nOutput:%n")
  private BenchOptions.Output output = new BenchOptions.Output();

  private @Nullable RunDocument resumed;

  /** Whether the arguments have the options of the user's file, or are those of an earlier run. */
  private boolean expanded;

  @Override
  public Integer call() throws IOException {
    try {
      if (output.resume != null) {
        return resume(output.resume);
      }
      List<String> kept = kept();
      if (!kept.isEmpty()) {
        return runWith(kept);
      }
      server.require();
      requireServerAlone();
      if (!server.isSet()) {
        return compare(null);
      }
      requireTargetAlone();
      try (Target target = server.open(output.workFolder)) {
        what.file = target.file();
        // Calls move no file, and so need none that takes time to make.
        what.fileSize = what.file == null ? (Long) 1L : null;
        return compare(target);
      }
    } catch (LabException e) {
      return LabErrors.exitCode(spec, e);
    }
  }

  /**
   * Compares the rows.
   *
   * @param target a server that is not ours; null for the embedded servers
   */
  private int compare(@Nullable Target target) throws LabException, IOException {
    boolean tables = what.tables.isEmpty() && what.filters.isEmpty();
    boolean whole = tables && settings.methods.isEmpty();
    boolean answer =
        tables && what.suites.isEmpty() && target == null && (whole || settings.areOfTheAnswer());
    Duration time = howLong.time(answer || target != null);
    Profile profile =
        howLong.profile != null
            ? Profile.parse(howLong.profile)
            : time != null ? Profile.DEFAULT : Profile.QUICK;
    howLong.requireProcesses();
    what.requireOneFile();
    Profiler profiler = howLong.profiler == null ? null : Profiler.parse(howLong.profiler);
    Network network = howLong.network == null ? null : Networks.parse(howLong.network);
    Jvms jvms = java.jvms();
    TableSettings values = settings.tables(jvms);
    List<Suite> suites = target == null ? suites(answer) : List.of(target.suite(time));
    RunPlan chosen = settings.plan(suites, values, what.tables, what.filters);
    tellIgnored();
    RunPlan plan = profile == Profile.SMOKE ? chosen : chosen.withControls();
    if (target != null) {
      target.requireAllowed(plan, profile.settings());
    }
    if (what.list) {
      String foreign = RunPlan.foreignObstacle(howLong.pin, host.isSet());
      new BenchList(
              profile, time, what.fileBytes(), network, foreign, network != null || host.isSet())
          .print(spec.commandLine().getOut(), plan, whole ? suites : List.of(), values);
      return ExitCode.OK;
    }
    try (SshServer started = host.start(this::tell)) {
      RemoteServer remote = host.server(jvms.flags(), started);
      return run(plan, profile, time, profiler, jvms, network, remote);
    }
  }

  private void requireServerAlone() throws LabException {
    boolean others = howLong.network != null || howLong.pin || server.isSet() || java.areFree();
    if (host.isSet() && others) {
      throw LabException.usage(
          "--server has its own network, processors and JDK; leave out --network, --pin, --url,"
              + " --grpc, --java and --jvm-args");
    }
  }

  private void requireTargetAlone() throws LabException {
    boolean alone =
        what.suites.isEmpty()
            && what.tables.isEmpty()
            && what.file == null
            && what.fileSize == null
            && howLong.network == null
            && howLong.processes == 1
            && !howLong.pin;
    if (!alone) {
      throw LabException.usage(
          "--url and --grpc have their own table and start no server; leave out --suite, --tables,"
              + " --file, --file-size, --network, --processes and --pin");
    }
  }

  /** Goes on with a run as a command with the same arguments. */
  private int resume(Path folder) throws LabException, IOException {
    if (spec.commandLine().getParseResult().matchedOptions().size() > 1) {
      throw LabException.usage("--resume uses the options of the run; leave out all others");
    }
    RunDocument run = Bench.read(folder);
    if (run.arguments().isEmpty()) {
      throw LabException.failure(folder + " was not made by a command; start a new run");
    }
    if (run.complete()) {
      throw LabException.failure(folder + " is complete; ferry bench report prints it");
    }
    BenchCommand again = again(run.arguments());
    again.resumed = run;
    again.output.folder = folder;
    again.output.resume = null;
    return again.call();
  }

  /**
   * Returns a command with other arguments.
   *
   * @param arguments all of them, which begin with the name of the command
   */
  private BenchCommand again(List<String> arguments) {
    CommandLine own = spec.commandLine();
    CommandLine program = new Main().commandLine().setOut(own.getOut()).setErr(own.getErr());
    ParseResult parsed = program.parseArgs(arguments.toArray(String[]::new));
    BenchCommand again = (BenchCommand) parsed.subcommand().commandSpec().userObject();
    again.expanded = true;
    return again;
  }

  /** Returns the options of the user's file that the command line has not. */
  private List<String> kept() throws LabException {
    Path file = settings.config;
    return expanded || (file == null && !Files.exists(BenchProperties.DEFAULT))
        ? List.of()
        : BenchProperties.options(spec, file == null ? BenchProperties.DEFAULT : file);
  }

  /** Runs with options of the user's file as if they had been given. */
  private int runWith(List<String> kept) throws IOException {
    tell(
        "options of %s: %s"
            .formatted(
                settings.config == null ? BenchProperties.DEFAULT : settings.config,
                kept.stream()
                    .map(option -> option.startsWith("--url=") ? ShownUrl.of(option) : option)
                    .collect(Collectors.joining(" "))));
    BenchCommand again = again(Stream.concat(arguments().stream(), kept.stream()).toList());
    again.settings.keep(kept);
    return again.call();
  }

  private void tellIgnored() {
    if (!settings.ignored().isEmpty()) {
      tell(
          "ignored, as no table of this run has it: %s"
              .formatted(String.join(" ", settings.ignored())));
    }
  }

  private void tell(String line) {
    LabErrors.say(spec, line);
  }

  private List<Suite> suites(boolean answer) throws LabException {
    List<Suite> suites = new ArrayList<>();
    List<String> names =
        !what.suites.isEmpty()
            ? what.suites
            : List.of(answer || settings.tls ? SettingOptions.ANSWER : "file-transfer");
    for (String name : names) {
      List<Suite> named = Suites.named(name);
      if (named.size() == 1 && named.get(0).tables().isEmpty()) {
        String suite = named.get(0).name();
        throw LabException.usage("suite %s needs --%s, with an address".formatted(suite, suite));
      }
      suites.addAll(named);
    }
    return suites;
  }

  private int run(
      RunPlan plan,
      Profile profile,
      @Nullable Duration time,
      @Nullable Profiler profiler,
      Jvms jvms,
      @Nullable Network network,
      @Nullable RemoteServer remote)
      throws LabException, IOException {
    Clock clock = Clock.systemUTC();
    Path folder =
        output.folder == null
            ? Path.of("results", FOLDER.format(clock.instant()) + "-" + profile.label())
            : output.folder;
    try (InterruptHook hook = InterruptHook.register()) {
      RunDocument run;
      try (BenchProgress progress = BenchProgress.open(spec, hook.cancellation())) {
        run =
            new Bench(clock, MethodNames::of, Advice::of)
                .run(
                    new BenchRequest(
                        plan,
                        profile,
                        howLong.pin || network != null || remote != null ? 2 : howLong.processes,
                        howLong.pin,
                        jvms,
                        network,
                        remote,
                        profiler,
                        what.file,
                        what.generatedBytes(),
                        folder,
                        output.workFolder,
                        howLong.threshold,
                        time,
                        resumed == null ? server.shown(arguments()) : resumed.arguments(),
                        resumed,
                        output.open ? this::show : null),
                    progress,
                    hook.cancellation());
      }
      print(run, folder);
      return run.failed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
  }

  private void show(Path page) {
    if (!Browser.show(page)) {
      tell("--open: no browser could be started; open " + page.toAbsolutePath());
    }
  }

  /** Returns the arguments of this command that count, which begin with its name. */
  private List<String> arguments() {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    // --debug may come before the name.
    return all.subList(all.indexOf(spec.name()), all.size()).stream()
        .filter(argument -> !settings.ignored().contains(argument))
        .toList();
  }

  /** Returns the last line of what is printed of a run. */
  static String where(Path folder) {
    return "Run folder: " + folder + " (report.html has the charts, report.md the details)";
  }

  private void print(RunDocument run, Path folder) {
    PrintWriter text = spec.commandLine().getOut();
    text.println(output.verbose ? TextReport.console(run) : ShortReport.render(run));
    text.println();
    text.println(where(folder));
    text.flush();
    if (!run.complete()) {
      tell("interrupted; what was measured is in " + folder);
    }
  }
}
