package dev.ferry.jmeter;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.FerryVersion;
import dev.ferry.load.EngineWorker;
import dev.ferry.load.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the controller knows of the engines of a run. It writes the seconds of each to its folder,
 * and names those that are silent. Thread-safe.
 */
final class EngineRun {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /**
   * A silent engine is waited for this many times as long as it takes to name it. So is one that
   * has measured nothing, since it sends nothing before its first thread begins. By default that is
   * as long as an engine keeps its seconds.
   */
  private static final int LOST_FACTOR = 6;

  private final Path folder;
  private final Workload.OfEngine load;
  private final long silenceNanos;
  private final LongSupplier clock;
  private final Consumer<String> say;
  private final Map<String, Engine> engines = new LinkedHashMap<>();

  /** An engine, which is known before it starts. */
  private static final class Engine {
    final int number;
    final List<EngineWorker.Sampled> second = new ArrayList<>();
    @Nullable EngineWorker worker;
    long heard;
    boolean started;
    boolean ended;
    boolean silent;
    boolean failed;

    Engine(int number, long heard) {
      this.number = number;
      this.heard = heard;
    }
  }

  /**
   * @param folder where each engine gets a folder
   * @param load the engines, by the names that JMeter gives them
   * @param silenceNanos an engine that has sent nothing for this time is silent; it is lost when it
   *     has been silent for six times as long
   * @param clock nanoseconds
   * @param say prints a line
   */
  EngineRun(
      Path folder,
      Workload.OfEngine load,
      long silenceNanos,
      LongSupplier clock,
      Consumer<String> say) {
    this.folder = folder;
    this.load = load;
    this.silenceNanos = silenceNanos;
    this.clock = clock;
    this.say = say;
    for (int i = 0; i < load.hosts().size(); i++) {
      engines.put(load.hosts().get(i), new Engine(i + 1, clock.getAsLong()));
    }
  }

  /**
   * Notes that an engine has begun.
   *
   * @throws IllegalArgumentException if it is none of the load
   */
  synchronized void started(String host) {
    Engine engine = engines.get(host);
    if (engine == null) {
      throw new IllegalArgumentException(
          "engines: " + host + " is none of " + String.join(",", load.hosts()));
    }
    engine.started = true;
    hear(engine);
  }

  /** Notes a part of a second of an engine, and writes the second when it is whole. */
  synchronized void received(String host, HistogramSample sample) {
    Engine engine = engines.get(host);
    if (engine == null) {
      return;
    }
    hear(engine);
    Instant started = sample.second().started();
    EngineWorker known = engine.worker;
    // A batch whose answer was lost arrives again.
    boolean again = known != null && sample.second().to() <= known.seconds();
    if (started == null || engine.failed || engine.ended || again) {
      return;
    }
    if (!sample.isEmpty()) {
      engine.second.add(sample.sampled());
    }
    if (sample.isLast()) {
      write(engine, started, sample.second());
      engine.second.clear();
    }
  }

  private void write(Engine engine, Instant started, HistogramSample.Second second) {
    try {
      EngineWorker worker = engine.worker;
      if (worker == null) {
        worker = EngineWorker.create(folder, load, engine.number, started, environment(engine));
        engine.worker = worker;
      }
      worker.add(
          new EngineWorker.Second(
              second.from(),
              second.to(),
              second.threads(),
              second.cores(),
              second.cpuShare(),
              List.copyOf(engine.second)));
    } catch (IOException e) {
      fail(engine, e);
    }
  }

  private ObjectNode environment(Engine engine) {
    return new ObjectNode(JsonNodeFactory.instance)
        .put("ferry", FerryVersion.current().version())
        .put("engine", load.engine())
        .put("host", load.hosts().get(engine.number - 1))
        .put("at", Instant.now().toString());
  }

  private void fail(Engine engine, IOException e) {
    engine.failed = true;
    say.accept(load.nameOf(engine.number) + ": what it measures is no longer written: " + e);
  }

  /** Notes that an engine has ended. */
  synchronized void ended(String host) {
    Engine engine = engines.get(host);
    if (engine == null) {
      return;
    }
    hear(engine);
    engine.ended = true;
    EngineWorker worker = engine.worker;
    if (worker == null) {
      return;
    }
    try (worker) {
      worker.end();
    } catch (IOException e) {
      fail(engine, e);
    }
  }

  private void hear(Engine engine) {
    engine.heard = clock.getAsLong();
    if (engine.silent) {
      engine.silent = false;
      say.accept(load.nameOf(engine.number) + " is back");
    }
  }

  /**
   * Names the engines that became silent since the last call.
   *
   * @return what is to be waited for
   */
  synchronized State check() {
    int lost = 0;
    int ended = 0;
    long lostNanos = LOST_FACTOR * silenceNanos;
    for (Engine engine : engines.values()) {
      if (engine.ended) {
        ended++;
        continue;
      }
      long silence = clock.getAsLong() - engine.heard;
      if (!engine.silent && silence > (engine.worker == null ? lostNanos : silenceNanos)) {
        engine.silent = true;
        say.accept(silence(engine, silence));
      }
      if (silence > lostNanos) {
        lost++;
      }
    }
    if (ended == engines.size()) {
      return State.ENDED;
    }
    return lost + ended == engines.size() ? State.LOST : State.RUNNING;
  }

  /** Whether a run goes on. */
  enum State {
    /** Engines are to be heard of. */
    RUNNING,
    /** All engines have ended. */
    ENDED,
    /** All engines have ended or are lost, and one is lost. */
    LOST
  }

  private String silence(Engine engine, long nanos) {
    String name = load.nameOf(engine.number);
    double since = nanos / NANOS_PER_SECOND;
    if (!engine.started) {
      return text("%s has not started for %.0f s", name, since);
    }
    EngineWorker worker = engine.worker;
    return worker == null
        ? text("%s has been silent for %.0f s, and has measured nothing", name, since)
        : text(
            "%s has been silent for %.0f s; the %.1f s that it measured are kept",
            name, since, worker.seconds());
  }

  /** Closes the files of engines that have not ended. */
  synchronized void close() {
    for (Engine engine : engines.values()) {
      engine.failed = true;
      if (engine.worker != null) {
        engine.worker.close();
      }
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
