package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.CeilingRun;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Ferry;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.Plan;
import dev.ferry.lab.suite.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan in rounds. A round is one pass over all rows with one fork per row, and rivals run
 * next to each other. The ceilings are measured at the start of every other round, from the first
 * on. Used by one thread.
 */
public final class RunLoop implements AutoCloseable {
  /** With one round there is no interval. */
  private static final int LEAST_ROUNDS = 2;

  /** One disturbed fork in this many is replaced, and two in any case. */
  private static final int FORKS_PER_REPLACEMENT = 5;

  private static final String NOT_RUN = "the run ended before it";

  private final Plan plan;
  private final Profile profile;
  private final int processes;
  private final @Nullable Pin pin;
  private final @Nullable Profiler profiler;
  private final RunFolder folder;
  private final WorkFolder work;
  private final SourceFile file;
  private final LoadFiles loadFiles;
  private final Environment environment;
  private final Cancellation cancellation;
  private final Map<RowKey, String> obstacles = new LinkedHashMap<>();
  private final List<CeilingFork> ceilings;
  private final Measurements measurements;
  private final Forecast forecast;
  private final @Nullable Deadline deadline;
  private int rounds;
  private int furtherForks;
  private int done;

  private RunLoop(
      Plan plan,
      Profile profile,
      int processes,
      @Nullable Pin pin,
      @Nullable Profiler profiler,
      RunFolder folder,
      WorkFolder work,
      SourceFile file,
      Environment environment,
      Cancellation cancellation,
      Clock clock,
      @Nullable Duration time,
      List<Row> resumed) {
    this.plan = plan;
    this.profile = profile;
    this.processes = processes;
    this.pin = pin;
    this.profiler = profiler;
    this.folder = folder;
    this.work = work;
    this.file = file;
    this.loadFiles = new LoadFiles(work.source(), file);
    this.environment = environment;
    this.cancellation = cancellation;
    Settings settings = profile.settings();
    this.forecast =
        new Forecast(Estimate.forks(plan, settings, file.bytes()), settings.rounds(), clock);
    this.ceilings = plan.ceilingForks();
    ceilings.forEach(fork -> forecast.limit(fork, ceilingRounds(settings.rounds())));
    for (Plan.Group group : plan.groups()) {
      for (RowKey row : group.rows()) {
        String obstacle =
            pin != null && group.foreign(row)
                ? "--pin cannot give processors to other programs"
                : group.obstacle(row);
        if (obstacle != null) {
          obstacles.put(row, obstacle);
          forecast.drop(row);
        }
      }
    }
    this.deadline = time == null ? null : new Deadline(clock, clock.instant().plus(time));
    this.rounds = settings.rounds();
    this.measurements =
        new Measurements(folder, work, cancellation, 2 + total() / FORKS_PER_REPLACEMENT);
    resumed.forEach(row -> measurements.takeOver(row.key(), row.disturbed()));
  }

  /** The time at which a run ends. */
  private record Deadline(Clock clock, Instant end) {
    /** Returns whether something of this duration ends in time. */
    boolean allows(Duration duration) {
      return !clock.instant().plus(duration).isAfter(end);
    }

    Duration left() {
      Duration left = Duration.between(clock.instant(), end);
      return left.isNegative() ? Duration.ZERO : left;
    }
  }

  /** Says which comparisons need further forks. */
  @FunctionalInterface
  public interface Undecided {
    /**
     * Returns how many further forks a row and its baseline are expected to need, for each row
     * whose comparison is not decided but can be.
     */
    Map<RowKey, Integer> in(List<RowRun> rows);
  }

  /**
   * Checks the file to transfer before anything is created for it.
   *
   * @return its size in bytes
   * @throws LabException if it does not exist, is not a regular file or is not readable
   */
  public static long requireFile(Path source) throws LabException {
    return WorkFolder.check(source);
  }

  /**
   * Checks that a profiler works here before anything is created for it.
   *
   * @throws LabException with the reason and an alternative
   */
  public static void requireProfiler(Profiler profiler) throws LabException {
    SampleProfiler.require(profiler);
  }

  /**
   * Prepares the work folder and the file. {@code close} deletes them.
   *
   * @param processes 1, or 2 to run the server of each row in a separate process
   * @param pin the processors of the two ends; null to let the system choose
   * @param profiler the profiler of the samples; null for none
   * @param source the file to transfer; null for a generated one
   * @param generatedBytes the size of the generated file in bytes
   * @param time how long the rows may run; null for all rounds of the profile and no more
   * @param resumed the rows of an earlier start of the run, whose samples are in the folder
   */
  public static RunLoop prepare(
      Plan plan,
      Profile profile,
      int processes,
      @Nullable Pin pin,
      @Nullable Profiler profiler,
      RunFolder folder,
      Path workParent,
      @Nullable Path source,
      long generatedBytes,
      Cancellation cancellation,
      Clock clock,
      @Nullable Duration time,
      List<Row> resumed)
      throws LabException, IOException {
    WorkFolder work = WorkFolder.create(workParent.toAbsolutePath());
    try {
      SourceFile file = work.fetch(source, generatedBytes, plan.loads());
      Environment environment = EnvironmentProbe.probe(work.root(), clock.instant());
      return new RunLoop(
          plan,
          profile,
          processes,
          pin,
          profiler,
          folder,
          work,
          file,
          environment,
          cancellation,
          clock,
          time,
          resumed);
    } catch (LabException | RuntimeException e) {
      work.close();
      throw e;
    }
  }

  /** Returns the build that measures. */
  public Ferry ferry() {
    return EnvironmentProbe.ferry();
  }

  /** Returns the environment with the current load as the load after the run. */
  public Environment environment() {
    return environment.withLoadAfter(EnvironmentProbe.load());
  }

  /** Returns the file to transfer. */
  public SourceFile file() {
    return file;
  }

  /** Returns whether every row was run, has failed, or cannot run here, in every round. */
  public boolean complete() {
    return done == total();
  }

  /** Returns the results of the ceilings so far, in their order. */
  public List<CeilingRun> ceilings() {
    return ceilings.stream().flatMap(fork -> runs(fork).stream()).toList();
  }

  private List<CeilingRun> runs(CeilingFork fork) {
    return fork.keys().stream().map(this::run).toList();
  }

  private CeilingRun run(CeilingKey ceiling) {
    List<Sample> measured = measurements.samples(ceiling);
    String reason = measurements.failure(ceiling);
    if (reason != null) {
      return new CeilingRun(ceiling, Status.FAILED, reason, measured);
    }
    return measured.isEmpty()
        ? new CeilingRun(ceiling, Status.SKIPPED, NOT_RUN, measured)
        : new CeilingRun(ceiling, Status.OK, null, measured);
  }

  private int total() {
    return plan.size() * rounds + ceilings.size() * ceilingRounds(rounds) + furtherForks;
  }

  /** Returns in how many of some rounds the ceilings are measured. */
  static int ceilingRounds(int rounds) {
    return (rounds + 1) / 2;
  }

  private static boolean measuresCeilings(int round) {
    return round % 2 == 0;
  }

  /** Returns how long a round is expected to take. */
  private Duration expected(int round) {
    Stream<?> rows = plan.groups().stream().flatMap(g -> g.rows().stream()).filter(this::canRun);
    Stream<?> forks =
        measuresCeilings(round)
            ? Stream.concat(rows, ceilings.stream().filter(this::canRun))
            : rows;
    return forks.map(forecast::expected).reduce(Duration.ZERO, Duration::plus);
  }

  private boolean canRun(CeilingFork fork) {
    return !measurements.failed(fork.keys());
  }

  private boolean canRun(RowKey row) {
    return !measurements.failed(List.of(row)) && !obstacles.containsKey(row);
  }

  /** Returns how often the run may decide that a comparison needs no further forks. */
  public int looks() {
    return deadline == null ? 1 : 2;
  }

  /**
   * Runs all forks that can run until cancelled, and then, if time is left, further forks for the
   * comparisons that are not decided. A row that has failed is not run again.
   */
  public List<RowRun> run(RunListener listener, Undecided undecided) throws IOException {
    for (int round = 0; round < rounds; round++) {
      if (round >= LEAST_ROUNDS && deadline != null && !deadline.allows(expected(round))) {
        // What time is left may still decide a comparison.
        rounds = round;
        break;
      }
      if (measuresCeilings(round) && !runCeilings(listener, round)) {
        return rows();
      }
      for (Plan.Group group : plan.groups()) {
        if (!runRows(listener, group, group.inRound(round), round)) {
          return rows();
        }
        listener.groupEnded(group, round, rows());
      }
    }
    if (deadline != null) {
      decide(listener, undecided.in(rows()), deadline);
    }
    return rows();
  }

  /**
   * Runs further forks for comparisons that are not decided, those first that need the fewest. This
   * selection is made once, so that a run looks at its results twice: here and at its end.
   */
  private void decide(RunListener listener, Map<RowKey, Integer> undecided, Deadline deadline)
      throws IOException {
    Set<RowKey> chosen = affordable(undecided, deadline.left());
    // A comparison with a row that has failed cannot be decided any more.
    for (int round = rounds; !chosen.isEmpty() && chosen.stream().allMatch(this::canRun); round++) {
      for (Plan.Group group : plan.groups()) {
        List<RowKey> rows = group.inRound(round).stream().filter(chosen::contains).toList();
        Duration expected =
            rows.stream().map(forecast::expected).reduce(Duration.ZERO, Duration::plus);
        if (!deadline.allows(expected)) {
          return;
        }
        furtherForks += rows.size();
        if (!runRows(listener, group, rows, round)) {
          return;
        }
      }
    }
  }

  /** Returns the rows of the comparisons that can be decided in time, or else of the easiest. */
  private Set<RowKey> affordable(Map<RowKey, Integer> undecided, Duration left) {
    Set<RowKey> chosen = new LinkedHashSet<>();
    Duration cost = Duration.ZERO;
    for (Map.Entry<RowKey, Integer> next :
        undecided.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
      Set<RowKey> pair = pair(next.getKey());
      pair.removeAll(chosen);
      for (RowKey row : pair) {
        cost = cost.plus(forecast.expected(row).multipliedBy(next.getValue()));
      }
      if (!chosen.isEmpty() && cost.compareTo(left) > 0) {
        return chosen;
      }
      chosen.addAll(pair);
    }
    return chosen;
  }

  private Set<RowKey> pair(RowKey row) {
    Set<RowKey> pair = new LinkedHashSet<>(List.of(row));
    for (Plan.Group group : plan.groups()) {
      if (group.rows().contains(row)) {
        pair.add(row.withMethod(group.baseline()));
      }
    }
    return pair;
  }

  /** Runs one fork of each row that can run. Returns whether the run continues. */
  private boolean runRows(RunListener listener, Plan.Group group, List<RowKey> rows, int round)
      throws IOException {
    for (RowKey row : rows) {
      if (cancellation.isCancelled()) {
        return false;
      }
      boolean measured = false;
      if (canRun(row)) {
        forecast.begin();
        listener.started(row, round, done, total(), left());
        measured = runFork(group, row, round);
      }
      if (cancellation.isCancelled()) {
        return false;
      }
      done++;
      listener.ended(row, round, done, total(), rows());
      if (measured) {
        learn(row, measurements.failed(List.of(row)));
      }
    }
    return true;
  }

  private Duration left() {
    Duration expected = forecast.left();
    return deadline == null || (expected.compareTo(deadline.left()) < 0 && furtherForks == 0)
        ? expected
        : deadline.left();
  }

  /** Returns whether the run continues. */
  private boolean runCeilings(RunListener listener, int round) throws IOException {
    for (CeilingFork fork : ceilings) {
      boolean measured = false;
      if (!cancellation.isCancelled() && canRun(fork)) {
        forecast.begin();
        listener.ceilingsStarted(fork, round, done, total(), left());
        measured = runFork(fork, round);
      }
      if (cancellation.isCancelled()) {
        return false;
      }
      done++;
      listener.ceilingsEnded(runs(fork), round, done, total(), rows());
      if (measured) {
        learn(fork, measurements.failed(fork.keys()));
      }
    }
    return true;
  }

  /**
   * Updates the forecast. Called after all work for a fork is done, so that the measured time
   * includes it.
   */
  private void learn(Object fork, boolean failed) {
    if (failed) {
      forecast.drop(fork);
    } else {
      forecast.end(fork);
    }
  }

  /** Returns whether the fork was run, and not taken over. */
  private boolean runFork(Plan.Group group, RowKey row, int round) throws IOException {
    // Foreign programs run in separate processes in any case.
    int jvms = group.foreign(row) ? 1 : Math.max(processes, group.promise(row).processes());
    Path watched = profiler == null ? null : folder.profile(row, round, profiler).toAbsolutePath();
    Job job =
        job(
            row,
            null,
            round,
            group.settings(row, profile.settings()),
            jvms,
            group.load(row),
            List.of(folder.samples(row, round)),
            profiler,
            watched);
    if (measurements.takeOver(List.of(row), job)) {
      forecast.takeOver(row);
      return false;
    }
    measurements.run(List.of(row), job, flags(group, row), group.classPath(row));
    return true;
  }

  private boolean runFork(CeilingFork fork, int round) throws IOException {
    Load load = fork.load();
    Settings settings = load == null ? profile.settings() : load.of(profile.settings());
    List<Path> samples = fork.keys().stream().map(k -> folder.samples(k, round)).toList();
    Job job = job(null, fork, round, settings, 1, load, samples, null, null);
    if (measurements.takeOver(fork.keys(), job)) {
      forecast.takeOver(fork);
      return false;
    }
    // Codecs use all processors, as both ends of a row together do.
    List<String> flags = pin == null || fork.names().get(0).compresses() ? List.of() : pin.flags();
    measurements.run(fork.keys(), job, flags, List.of());
    return true;
  }

  private Job job(
      @Nullable RowKey row,
      @Nullable CeilingFork ceilings,
      int round,
      Settings settings,
      int jvms,
      @Nullable Load load,
      List<Path> samples,
      @Nullable Profiler watch,
      @Nullable Path watched)
      throws IOException {
    LoadFiles.Source source = loadFiles.source(load);
    return new Job(
        row,
        ceilings,
        load,
        round,
        settings,
        jvms,
        work.store(),
        work.client(),
        source.file(),
        source.bytes(),
        source.sha256(),
        samples.stream().map(Path::toAbsolutePath).toList(),
        work.root().resolve("failure"),
        watch,
        watched);
  }

  private List<String> flags(Plan.Group group, RowKey row) {
    List<String> flags = new ArrayList<>(group.flags(row));
    if (pin != null) {
      flags.addAll(pin.flags());
    }
    return flags;
  }

  private List<RowRun> rows() {
    List<RowRun> rows = new ArrayList<>();
    for (Plan.Group group : plan.groups()) {
      group.rows().forEach(row -> rows.add(row(group, row)));
    }
    return rows;
  }

  private RowRun row(Plan.Group group, RowKey row) {
    List<Sample> measured = measurements.samples(row);
    Status status = Status.OK;
    String reason = measurements.failure(row);
    if (reason != null) {
      status = Status.FAILED;
    } else if (measured.isEmpty()) {
      status = Status.SKIPPED;
      reason = obstacles.getOrDefault(row, NOT_RUN);
    }
    Suite.Promise promise = group.promise(row);
    return new RowRun(
        row,
        group.baseline(),
        status,
        reason,
        promise.codec(),
        Math.max(processes, promise.processes()),
        group.load(row),
        group.table().unit(),
        flags(group, row),
        group.ceilings(row),
        measured,
        measurements.disturbed(row));
  }

  @Override
  public void close() throws IOException {
    work.close();
  }
}
