package dev.ferry.lab.suite;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row.Setup;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All that a suite says about one of its rows. Made once for a run, and once more in each process
 * that runs an end of the row. Making it starts nothing.
 *
 * @param key the name of the row
 * @param promise what the label of the row states
 * @param work what a sample does
 * @param needs what a fork of the row needs
 * @param bounds the ceilings of the row
 * @param server starts the server of the row
 * @param client starts the client of the row
 */
public record RowSpec(
    RowKey key,
    Promise promise,
    Work work,
    Needs needs,
    Bounds bounds,
    ServerStart server,
    ClientStart client) {
  /**
   * What the label of a row states. A sample that contradicts it fails the row.
   *
   * @param protocol the protocol to negotiate
   * @param encoding the encoding to negotiate
   * @param codec the encoding library
   * @param processes the minimum number of processes that share the work, regardless of the run's
   *     setting; with 2 the server has a separate process
   */
  public record Promise(String protocol, String encoding, Codec codec, int processes) {
    /** Creates the promise of a row that compresses nothing. */
    public static Promise identity(String protocol, int processes) {
      return new Promise(protocol, "identity", Codec.NONE, processes);
    }
  }

  /**
   * What a sample does.
   *
   * @param digest the digest that is compared in each transfer, see {@link Setup#digest}
   * @param load how much; null for the run's file, once
   * @param expected the expected duration of an operation with its check, for the estimate of the
   *     run; null to use the estimate for files of the load
   * @param settings makes the settings of the row from those of a profile, since some rows cannot
   *     be repeated as often as others
   */
  public record Work(
      String digest,
      @Nullable Load load,
      @Nullable Duration expected,
      UnaryOperator<Settings> settings) {
    /** The run's file, not verified. */
    public static final Work FILE = file(Setup.NO_DIGEST);

    /** Creates the work of a row that moves the run's file once. */
    public static Work file(String digest) {
      return new Work(digest, null, null, UnaryOperator.identity());
    }

    /** Creates work that is not verified. A large load is repeated less often. */
    public static Work of(Load load, @Nullable Duration expected) {
      return new Work(Setup.NO_DIGEST, load, expected, load::of);
    }

    /** Returns a copy with other settings. */
    public Work with(UnaryOperator<Settings> others) {
      return new Work(digest, load, expected, others);
    }
  }

  /**
   * What a fork of a row needs.
   *
   * @param flags the additional flags of its JVM, which reports print with the row
   * @param obstacle says why the row cannot run on this machine, with a remedy, in one line; empty
   *     if it can. Asked once per run before any measurement
   * @param foreign whether programs other than this JVM do the work. Their use of heap, CPU and
   *     direct memory is unknown and not shown
   * @param shares what rows have in common that may be measured alternately in one fork, such as
   *     the directions of a method; null if the row needs a fork of its own
   */
  public record Needs(
      List<String> flags,
      Supplier<Optional<String>> obstacle,
      boolean foreign,
      @Nullable RowKey shares) {
    /** Nothing special. */
    public static final Needs NONE = of(List.of(), Optional::empty);

    public Needs {
      flags = List.copyOf(flags);
    }

    /** Creates the needs of a row of this JVM. */
    public static Needs of(List<String> flags, Supplier<Optional<String>> obstacle) {
      return new Needs(flags, obstacle, false, null);
    }
  }

  /**
   * The ceilings of a row.
   *
   * @param ceilings those that do the work that the row cannot avoid, measured with the row's load.
   *     The fastest of them bounds the row
   * @param parts those of parts of the work, which are measured with the run's file and shown in
   *     addition
   */
  public record Bounds(List<CeilingName> ceilings, List<CeilingName> parts) {
    /** Nothing bounds the row. */
    public static final Bounds NONE = of(List.of());

    public Bounds {
      ceilings = List.copyOf(ceilings);
      parts = List.copyOf(parts);
    }

    /** Creates bounds without parts. */
    public static Bounds of(List<CeilingName> ceilings) {
      return new Bounds(ceilings, List.of());
    }
  }

  /** Starts the server of a row. */
  @FunctionalInterface
  public interface ServerStart {
    /**
     * Starts it in this process, which may be the process of the client or a separate one.
     *
     * @throws IOException if it does not start; nothing keeps running then
     */
    RowServer start(Workplace workplace) throws IOException;
  }

  /** Starts the client of a row. */
  @FunctionalInterface
  public interface ClientStart {
    /**
     * Starts it in this process.
     *
     * @param port the port on which its server listens
     * @throws IOException if it does not start; nothing keeps running then
     */
    Operation start(Workplace workplace, int port) throws IOException;
  }

  /** Returns the A/A row of this row, see {@link RowKey#control}. */
  RowSpec control() {
    return new RowSpec(key.control(), promise, work, needs, bounds, server, client);
  }
}
