package dev.ferry.lab.stats;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Ferry;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Unit;
import dev.ferry.lab.model.network.NetworkRun;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows with the samples of their forks, and documents of them. */
public final class ForkRows {
  private ForkRows() {}

  /**
   * Returns the figures of a row with one sample in each fork.
   *
   * @param millis the time of each fork in milliseconds; if empty, the row was skipped
   */
  public static Row of(RowKey key, @Nullable String baseline, Codec codec, double... millis) {
    return Rows.of(List.of(run(key, baseline, codec, millis)), List.of()).get(0);
  }

  /** Returns a row with one sample in each fork, see {@link #of}. */
  public static RowRun run(RowKey key, @Nullable String baseline, Codec codec, double... millis) {
    Usage use = new Usage(1, 1, 1, 1, 1, 1, -1);
    List<Sample> samples =
        IntStream.range(0, millis.length)
            .mapToObj(round -> sample(round, Math.round(millis[round] * 1e6), 1, use))
            .toList();
    return run(key, baseline, null, codec, null, List.of(), samples);
  }

  /** Returns a copy of a row whose document names another digest. */
  public static Row verified(Row row, String digest) {
    Row.Setup setup = row.setup();
    return with(
        row, new Row.Setup(setup.codec(), digest, setup.load(), setup.processes(), setup.flags()));
  }

  /** Returns a copy of a row that had other processes and flags. */
  public static Row withSetup(Row row, int processes, String... flags) {
    Row.Setup setup = row.setup();
    return with(
        row, new Row.Setup(setup.codec(), setup.digest(), setup.load(), processes, List.of(flags)));
  }

  private static Row with(Row row, Row.Setup setup) {
    return new Row(
        row.key(),
        row.name(),
        row.baseline(),
        row.status(),
        row.reason(),
        setup,
        row.work(),
        row.time(),
        row.cpu(),
        row.memory(),
        row.bound(),
        row.latency(),
        row.client(),
        row.server(),
        row.parts(),
        row.forks(),
        row.disturbed(),
        row.comparison());
  }

  /**
   * Returns a row with its samples.
   *
   * @param failure why it failed; null if it did not. Without samples it was then skipped
   */
  public static RowRun run(
      RowKey key,
      @Nullable String baseline,
      @Nullable String failure,
      Codec codec,
      @Nullable Load load,
      List<CeilingName> ceilings,
      List<Sample> samples,
      DisturbedFork... disturbed) {
    boolean skipped = failure == null && samples.isEmpty();
    return new RowRun(
        key,
        baseline,
        failure != null ? Status.FAILED : skipped ? Status.SKIPPED : Status.OK,
        skipped ? "it did not run" : failure,
        new Row.Setup(codec.label(), Row.Setup.NO_DIGEST, load, 1, List.of()),
        Unit.MILLIS,
        ceilings,
        samples,
        List.of(disturbed));
  }

  /**
   * Returns a ceiling with its samples.
   *
   * @param reason why it failed or was skipped; null if it was measured
   */
  public static RowRun ceiling(
      CeilingName name,
      @Nullable Load load,
      Status status,
      @Nullable String reason,
      List<Sample> samples) {
    return new RowRun(
        RowKey.ceiling(name, load),
        null,
        status,
        reason,
        new Row.Setup(Codec.NONE.label(), Row.Setup.NO_DIGEST, load, 1, List.of()),
        Unit.MILLIS,
        List.of(),
        samples,
        List.of());
  }

  /**
   * Returns a sample of two ends in one process.
   *
   * @param bytes the size of an operation, which is not compressed
   */
  public static Sample sample(int round, long nanos, long bytes, Usage use) {
    return sample(round, nanos, bytes, use, null, null, null);
  }

  /** Returns a sample beside which other programs used the processors for some time. */
  public static Sample sampleBeside(long otherNanos, int round, long nanos, Usage use) {
    return sample(round, nanos, 1, use, null, null, otherNanos);
  }

  /** Returns a sample of two processes. */
  public static Sample sample(int round, long nanos, long bytes, Usage client, Usage server) {
    return sample(round, nanos, bytes, client.plus(server), client, server, null);
  }

  private static Sample sample(
      int round,
      long nanos,
      long bytes,
      Usage use,
      @Nullable Usage client,
      @Nullable Usage server,
      @Nullable Long otherNanos) {
    return new Sample(
        round,
        nanos,
        use.allocatedBytes(),
        use.cpuNanos(),
        use.young(),
        use.old(),
        use.heapPeakBytes(),
        use.directPeakBytes(),
        bytes,
        bytes,
        "h2c",
        "identity",
        use.switches() < 0 ? null : (Long) use.switches(),
        null,
        List.of(),
        client,
        server,
        new Disturbance(nanos, null, null, otherNanos == null ? null : 0L, otherNanos, null, null));
  }

  /**
   * Returns a complete run without ceilings and advice.
   *
   * @param cpu the model of the processor
   */
  public static RunDocument document(String cpu, List<Row> rows) {
    return document(cpu, rows, List.of(), new Criteria(0.05, null, 1));
  }

  /** Returns a copy of a run that had a network. */
  public static RunDocument over(NetworkRun network, RunDocument run) {
    return copy(run, run.environment(), run.settings(), network, run.complete(), null, null);
  }

  /** Returns a copy of a run whose JVMs had other flags, and whose profile had other settings. */
  public static RunDocument with(List<String> flags, Settings settings, RunDocument run) {
    Environment own = run.environment();
    Environment environment =
        new Environment(
            own.started(),
            own.os(),
            own.kernel(),
            own.cpu(),
            own.cores(),
            own.memoryBytes(),
            own.jdk(),
            own.vm(),
            flags,
            own.collector(),
            own.heapBytes(),
            own.fileSystem(),
            own.loadBefore(),
            own.loadAfter());
    return copy(run, environment, settings, run.network(), run.complete(), null, null);
  }

  /** Returns a copy of a run whose servers were on another machine like that of the clients. */
  public static RunDocument withServer(RunDocument run) {
    return copy(
        run,
        run.environment(),
        run.settings(),
        run.network(),
        run.complete(),
        run.environment(),
        null);
  }

  /** Returns a copy of a run that did not end. */
  public static RunDocument interrupted(RunDocument run) {
    return copy(run, run.environment(), run.settings(), run.network(), false, null, null);
  }

  /** Returns a copy of a run that said how many minutes it needs for verdicts. */
  public static RunDocument tooShort(RunDocument run, long minutes) {
    return copy(
        run,
        run.environment(),
        run.settings(),
        run.network(),
        run.complete(),
        run.server(),
        minutes);
  }

  private static RunDocument copy(
      RunDocument run,
      Environment environment,
      Settings settings,
      @Nullable NetworkRun network,
      boolean complete,
      @Nullable Environment server,
      @Nullable Long minutes) {
    return new RunDocument(
        run.schema(),
        run.ferry(),
        environment,
        run.file(),
        run.profile(),
        settings,
        run.profiler(),
        complete,
        run.rows(),
        run.ceilings(),
        run.byTime(),
        run.criteria(),
        run.advice(),
        run.arguments(),
        network,
        server,
        minutes);
  }

  /** Returns a complete run of a file of 100 bytes, which gzip leaves 24 of. */
  public static RunDocument document(
      String cpu, List<Row> rows, List<Ceiling> ceilings, Criteria criteria, String... advice) {
    return new RunDocument(
        RunDocument.SCHEMA,
        new Ferry("1", "abc"),
        new Environment(
            "2026-01-01T00:00:00Z",
            "Debian",
            "6.1",
            cpu,
            2,
            1L << 34,
            "17",
            "a VM",
            List.of("-Xmx1g"),
            "G1",
            1 << 30,
            "ext4",
            0.5,
            -1),
        new SourceFile("taxi.csv", 100, "00", 24),
        "default",
        new Settings(5, 1, 0, 0, 1),
        null,
        true,
        Comparisons.withBaselines(rows, criteria),
        ceilings,
        List.of(),
        criteria,
        List.of(advice),
        List.of("bench", "--quick"),
        null,
        null,
        null);
  }
}
