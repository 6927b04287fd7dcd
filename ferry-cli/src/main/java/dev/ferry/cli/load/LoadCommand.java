package dev.ferry.cli.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.cli.client.SecondServer;
import dev.ferry.cli.client.ServerCommand;
import dev.ferry.cli.client.ServerOptions;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.program.TerminalLine;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.load.LatencyPicture;
import dev.ferry.load.Limit;
import dev.ferry.load.LoadReport;
import dev.ferry.load.LoadRun;
import dev.ferry.load.Plan;
import dev.ferry.load.RateSearch;
import dev.ferry.load.ReportJson;
import dev.ferry.load.WorkerFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads a server at a given rate, and measures it. */
@Command(
    name = "load",
    subcommands = LoadMergeCommand.class,
    description = {
      "Loads a server at a given rate, and finds how much load it can take.",
      "Operations start at their time, whether or not earlier ones have ended, and their latency"
          + " counts from there. The files of the load are in a folder of its own on the server,"
          + " which is deleted at the end. A server on another machine is loaded with 100/s and 10"
          + " MB/s at most, unless --yes-i-own-it is given. docs/load.md describes all of it."
    },
    footer = {
      "",
      "Examples:",
      "  ferry load --rate 200/s --for 30s",
      "  ferry load --find p99=50ms --mix get:90,put:10"
    })
public final class LoadCommand extends ServerCommand {
  private static final String WORKER = "--worker";
  private static final String INDEX = "--worker-index";
  private static final String PAGE = "report.html";

  @Spec private CommandSpec spec;
  @Mixin private SecondServer second;
  @Mixin private PlanFlags flags;

  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      description = "The folder of the server, or its address, in which that of the load is made.")
  private @Nullable String parent;

  @Option(
      names = "--find",
      paramLabel = "LIMIT",
      converter = LimitConverter.class,
      description =
          "Search for the highest rate at which a percentile of all arrivals keeps a latency, such"
              + " as p99=50ms.")
  private @Nullable Limit find;

  @Option(
      names = "--fail-if",
      paramLabel = "FIGURES",
      converter = Thresholds.Converter.class,
      description =
          "Exit with 11 if one of these figures of all operations together is as said: percentiles"
              + " and max of the latency, failed operations, and the rate that was done, such as"
              + " p99>50ms,errors>0.1%%,rate<900/s. Quote it for the shell.")
  private Thresholds failIf = Thresholds.NONE;

  @Option(
      names = WORKER,
      paramLabel = "K",
      defaultValue = "1",
      description = "The number of this worker, from 1 to that of --workers.")
  private int worker;

  @Option(
      names = INDEX,
      paramLabel = "I",
      description =
          "The same counted from 0, as the variable JOB_COMPLETION_INDEX of Kubernetes has it.")
  private @Nullable Integer index;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write plan, environment, reports, timeline and histograms to this folder; with several"
              + " workers, to its folder worker-K. An address such as ferry://HOST/FOLDER is a"
              + " folder of a server, and gets them at the end.")
  private @Nullable Path out;

  @Option(names = "--keep", description = "Leave the folder of the load on the server.")
  private boolean keep;

  @Option(
      names = Ownership.OPTION,
      description = "Load a server on another machine without a limit, since it is yours.")
  private boolean owned;

  private volatile @Nullable LoadTarget target;

  @Override
  public void stop() {
    LoadTarget running = target;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  protected int run() throws Exception {
    server.preferGrpc();
    StorePath folder = folder();
    boolean free = owned || server.isLoopback();
    Plan plan = flags.plan(find, free);
    numberByIndex();
    require(plan, free);
    RemoteResults remote = remote(plan);
    if (remote != null) {
      return remote.of(results -> load(plan, folder, results), output::note);
    }
    Path results = out == null || plan.workers() == 1 ? out : WorkerFolder.ofWorker(out, worker);
    return load(plan, folder, results);
  }

  private @Nullable RemoteResults remote(Plan plan) {
    String address = out == null ? null : ServerOptions.address(out);
    if (address == null) {
      return null;
    }
    ServerOptions place = second.of(server, address);
    RemoteResults all = new RemoteResults(place, address, place.directoryPath(address));
    return plan.workers() == 1 ? all : all.ofWorker(worker);
  }

  private int load(Plan plan, StorePath folder, @Nullable Path results) throws Exception {
    if (results != null && WorkerFolder.isUsed(results)) {
      throw used(results);
    }
    try (LoadTarget opened = LoadTarget.create(server, plan)) {
      target = opened;
      int code;
      try {
        opened.prepare(folder);
        code = measure(plan, opened, results);
      } catch (Exception e) {
        cleanUp(opened, e);
        throw e;
      }
      cleanUp(opened, null);
      return code;
    }
  }

  private int measure(Plan plan, LoadTarget opened, @Nullable Path results)
      throws IOException, InterruptedException {
    requireTime(plan);
    try (WorkerFolder written = open(results, plan)) {
      if (find != null) {
        return search(find, plan, opened, results);
      }
      return flags.stages().length > 1 ? stages(plan, opened) : run(plan, opened, results, written);
    }
  }

  private StorePath folder() {
    StorePath above = parent == null ? StorePath.ROOT : server.directoryPath(parent);
    return above.child(
        String.format(Locale.ROOT, "ferry-load-%08x", ThreadLocalRandom.current().nextInt()));
  }

  /** Takes the number of this worker from its index if that was given instead. */
  private void numberByIndex() {
    Integer given = index;
    if (given == null) {
      return;
    }
    if (isGiven(WORKER)) {
      throw server.wrongUse(INDEX + ": says the same as " + WORKER + "; leave out one");
    }
    // The largest becomes a negative number, which is refused.
    worker = given + 1;
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private void require(Plan plan, boolean free) {
    String refusal = free ? "" : Ownership.refusal(plan, server.serverName());
    if (!refusal.isEmpty()) {
      throw server.wrongUse(refusal);
    }
    if (worker < 1 || worker > plan.workers()) {
      throw server.wrongUse(
          index == null
              ? "%s: %d is not from 1 to the %d of --workers"
                  .formatted(WORKER, worker, plan.workers())
              : "%s: %d is not from 0 to %d, one less than --workers"
                  .formatted(INDEX, index, plan.workers() - 1));
    }
    if (plan.workers() > 1 && index == null && !isGiven(WORKER)) {
      throw server.wrongUse(WORKER + ": is missing; give the number of this worker");
    }
    if (plan.workers() > 1 && find != null) {
      throw server.wrongUse("--find: is for one worker");
    }
    if (find != null && !failIf.all().isEmpty()) {
      throw server.wrongUse("--fail-if: is not for --find, which has its own limit");
    }
    if (plan.startAt() != null && (find != null || flags.stages().length > 1)) {
      throw server.wrongUse(
          "--start-at: is for a load at one rate; leave it out with --find and with stages");
    }
    if (flags.stages().length > 1 && (find != null || out != null || plan.workers() > 1)) {
      throw server.wrongUse("--rate: stages are not for --find, --out and --workers");
    }
    requireTime(plan);
  }

  private void requireTime(Plan plan) {
    Instant startAt = plan.startAt();
    if (startAt != null && Instant.now().isAfter(startAt)) {
      throw server.wrongUse("--start-at: " + startAt + " has passed; give a later time");
    }
  }

  private @Nullable WorkerFolder open(@Nullable Path results, Plan plan) throws IOException {
    if (results == null) {
      return null;
    }
    try {
      return WorkerFolder.create(results, plan, LoadEnvironment.json(server, spec));
    } catch (FileAlreadyExistsException e) {
      throw used(results);
    }
  }

  private static Refusal used(Path results) {
    return new Refusal(
        ErrorKind.ALREADY_EXISTS,
        "--out: " + results + " has the results of another run; name another folder");
  }

  private int run(
      Plan plan, LoadTarget opened, @Nullable Path results, @Nullable WorkerFolder written)
      throws IOException, InterruptedException {
    LoadReport report = watched(plan, opened, written);
    if (output.json()) {
      print(ReportJson.of(report));
    } else {
      new LoadText(spec.commandLine().getOut()).print(report);
    }
    if (results != null && written != null) {
      WorkerFolder.write(results.resolve(PAGE), LoadPage.of(report, written.seconds()));
    }
    return judged(report);
  }

  /** Runs a load for each stage, without a pause between them. */
  private int stages(Plan plan, LoadTarget opened) throws IOException, InterruptedException {
    LoadText text = new LoadText(spec.commandLine().getOut());
    if (!output.json()) {
      text.stageHeader();
    }
    int code = ExitCode.OK;
    double warmUp = plan.warmUpSeconds();
    for (double rate : flags.stages()) {
      LoadReport report = watched(plan.at(rate, warmUp), opened, null);
      warmUp = 0;
      if (output.json()) {
        print(ReportJson.of(report));
      } else {
        text.stage(rate, report);
      }
      code = Math.max(code, judged(report));
    }
    return code;
  }

  /** Runs a load, with a line on a terminal that shows how it does. */
  private LoadReport watched(Plan plan, LoadTarget opened, @Nullable WorkerFolder written)
      throws IOException, InterruptedException {
    LoadRun run = new LoadRun(plan, worker, opened.operations(), opened.clock(), written);
    if (output.quiet() || !TerminalLine.isTerminal()) {
      return run.run();
    }
    TerminalLine line = TerminalLine.open();
    try {
      return run.watchedBy(report -> line.accept(LoadText.live(report, plan.seconds()))).run();
    } finally {
      line.clear();
    }
  }

  /** Returns the exit code of a report, and says which figures fail. */
  private int judged(LoadReport report) {
    List<String> failures = failIf.failures(report.all());
    failures.forEach(failure -> output.note("--fail-if: " + failure));
    return failures.isEmpty() ? ExitCode.OK : FailureCode.DIFFERENT.code();
  }

  private int search(Limit limit, Plan plan, LoadTarget opened, @Nullable Path results)
      throws IOException, InterruptedException {
    LoadText text = new LoadText(spec.commandLine().getOut());
    if (!output.json()) {
      text.stepHeader();
    }
    RateSearch.Result found =
        RateSearch.run(
            limit,
            plan,
            step -> watched(step, opened, null),
            step -> {
              if (!output.json()) {
                text.print(step);
              }
            });
    ObjectNode json = ReportJson.of(found);
    if (results != null) {
      WorkerFolder.write(results.resolve("report.json"), json.toPrettyString() + "\n");
      WorkerFolder.write(results.resolve("latency.svg"), LatencyPicture.of(found));
      WorkerFolder.write(results.resolve(PAGE), LoadPage.of(found));
    }
    if (output.json()) {
      print(json);
    } else {
      text.print(found);
    }
    return found.highest() > 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void print(ObjectNode json) {
    spec.commandLine().getOut().println(json);
  }

  /**
   * Deletes the folder on the server.
   *
   * @param failure what is about to be thrown, which a failure of this must not hide; null if
   *     nothing is
   */
  private void cleanUp(LoadTarget opened, @Nullable Exception failure) throws FerryException {
    if (keep) {
      if (opened.folder() != null) {
        output.summary(opened.folder() + ": was left on the server");
      }
      return;
    }
    // An interrupt has ended the load, and must not end this.
    boolean interrupted = Thread.interrupted();
    try {
      opened.deleteFolder();
    } catch (FerryException e) {
      if (failure == null) {
        throw e;
      }
      output.note(String.valueOf(e.getMessage()));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
