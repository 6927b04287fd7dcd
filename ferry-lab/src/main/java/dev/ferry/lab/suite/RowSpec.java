package dev.ferry.lab.suite;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row.Setup;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.nio.file.Path;
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
 * @param digest the digest that is compared in each transfer, see {@link Setup#digest}
 * @param load what a sample does; null for the run's file, once
 * @param settings makes the settings of the row from those of a profile, since some rows cannot be
 *     repeated as often as others
 * @param expected the expected duration of an operation with its check, for the estimate of the
 *     run; null to use the estimate for files of the load
 * @param flags the additional flags of the row's JVM, which reports print with the row
 * @param classPath the class path of the row's JVMs as absolute paths; empty for that of the bench.
 *     It is for a row whose libraries conflict with those of other rows. It must contain this
 *     module and a suite with the same name that starts the row's server and client
 * @param obstacle says why the row cannot run on this machine, with a remedy, in one line; empty if
 *     it can. Asked once per run before any measurement
 * @param foreign whether programs other than this JVM do the work. Their use of heap, CPU and
 *     direct memory is unknown and not shown
 * @param shares what rows have in common that may be measured alternately in one fork, such as the
 *     directions of a method
 * @param ceilings the ceilings that do the work that the row cannot avoid, measured with the row's
 *     load. The fastest of them bounds the row
 * @param parts ceilings of parts of the work, which are measured with the run's file and shown in
 *     addition
 * @param server starts the server of the row
 * @param client starts the client of the row
 */
public record RowSpec(
    RowKey key,
    Promise promise,
    String digest,
    @Nullable Load load,
    UnaryOperator<Settings> settings,
    @Nullable Duration expected,
    List<String> flags,
    List<Path> classPath,
    Supplier<Optional<String>> obstacle,
    boolean foreign,
    RowKey shares,
    List<CeilingName> ceilings,
    List<CeilingName> parts,
    ServerStart server,
    ClientStart client) {
  public RowSpec {
    flags = List.copyOf(flags);
    classPath = List.copyOf(classPath);
    ceilings = List.copyOf(ceilings);
    parts = List.copyOf(parts);
  }

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
    return new RowSpec(
        key.control(),
        promise,
        digest,
        load,
        settings,
        expected,
        flags,
        classPath,
        obstacle,
        foreign,
        shares,
        ceilings,
        parts,
        server,
        client);
  }

  /** Begins a row that has nothing but a promise, and moves the run's file once. */
  public static Builder of(RowKey key, Promise promise) {
    return new Builder(key, promise);
  }

  /** Collects what is special about a row. Used by one thread. */
  public static final class Builder {
    private final RowKey key;
    private final Promise promise;
    private String digest = Setup.NO_DIGEST;
    private @Nullable Load load;
    private @Nullable UnaryOperator<Settings> settings;
    private @Nullable Duration expected;
    private List<String> flags = List.of();
    private List<Path> classPath = List.of();
    private Supplier<Optional<String>> obstacle = Optional::empty;
    private boolean foreign;
    private RowKey shares;
    private List<CeilingName> ceilings = List.of();
    private List<CeilingName> parts = List.of();

    private Builder(RowKey key, Promise promise) {
      this.key = key;
      this.promise = promise;
      this.shares = key;
    }

    /** Sets {@link RowSpec#digest}. */
    public Builder digest(String value) {
      digest = value;
      return this;
    }

    /** Sets {@link RowSpec#load}. Without other settings, a large one is repeated less often. */
    public Builder load(Load value) {
      load = value;
      return this;
    }

    /** Sets {@link RowSpec#settings}. */
    public Builder settings(UnaryOperator<Settings> value) {
      settings = value;
      return this;
    }

    /** Sets {@link RowSpec#expected}. */
    public Builder expected(Duration value) {
      expected = value;
      return this;
    }

    /** Sets {@link RowSpec#flags}. */
    public Builder flags(List<String> value) {
      flags = value;
      return this;
    }

    /** Sets {@link RowSpec#classPath}. */
    public Builder classPath(List<Path> value) {
      classPath = value;
      return this;
    }

    /** Sets {@link RowSpec#obstacle}. */
    public Builder obstacle(Supplier<Optional<String>> value) {
      obstacle = value;
      return this;
    }

    /** Sets {@link RowSpec#foreign}. */
    public Builder foreign(boolean value) {
      foreign = value;
      return this;
    }

    /** Sets {@link RowSpec#shares}. Without it, the row needs a fork of its own. */
    public Builder shares(RowKey value) {
      shares = value;
      return this;
    }

    /** Sets {@link RowSpec#ceilings}. */
    public Builder ceilings(List<CeilingName> value) {
      ceilings = value;
      return this;
    }

    /** Sets {@link RowSpec#parts}. */
    public Builder parts(List<CeilingName> value) {
      parts = value;
      return this;
    }

    /** Returns the row with the starts of its two ends. */
    public RowSpec build(ServerStart server, ClientStart client) {
      Load own = load;
      UnaryOperator<Settings> usual = own == null ? UnaryOperator.identity() : own::of;
      return new RowSpec(
          key,
          promise,
          digest,
          own,
          settings == null ? usual : settings,
          expected,
          flags,
          classPath,
          obstacle,
          foreign,
          shares,
          ceilings,
          parts,
          server,
          client);
    }
  }
}
