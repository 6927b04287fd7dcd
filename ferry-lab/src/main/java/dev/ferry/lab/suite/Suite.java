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
import org.jspecify.annotations.Nullable;

/**
 * One comparison: tables as data, and the implementation of each row.
 *
 * @implSpec {@link java.util.ServiceLoader} loads suites in the process of the command and in every
 *     fork, so an implementation has a public constructor without parameters and no state.
 */
public interface Suite {
  /** Returns the name in {@code --suite}: lower-case letters, digits and dashes. */
  String name();

  /** Returns a one-line description of the comparison. */
  String description();

  /** Returns the tables in the order of the report. */
  List<Table> tables();

  /**
   * Returns whether a row is one of this suite, with the values of its tables or with others that a
   * user may give.
   */
  default boolean has(RowKey row) {
    return tables().stream().anyMatch(table -> table.allows(row));
  }

  /** Returns what the label of a row states. */
  Promise promise(RowKey row);

  /** Returns the digest that is compared in each transfer of a row, see {@link Setup#digest}. */
  default String digest(RowKey row) {
    return Setup.NO_DIGEST;
  }

  /** Returns what a sample of a row does; null for the run's file, once. */
  default @Nullable Load load(RowKey row) {
    return null;
  }

  /**
   * Returns the settings of a profile for a row. Override it if some rows cannot be repeated as
   * often as others.
   */
  default Settings settings(RowKey row, Settings profile) {
    Load load = load(row);
    return load == null ? profile : load.of(profile);
  }

  /**
   * Returns the expected duration of an operation with its check, for the estimate of the run; null
   * to use the estimate for files of the load.
   */
  default @Nullable Duration expected(RowKey row) {
    return null;
  }

  /** Returns the additional flags of the row's JVM. Reports print them with the row. */
  default List<String> flags(RowKey row) {
    return List.of();
  }

  /**
   * Returns the class path of the row's JVMs if it differs from the class path of the bench. Use it
   * for a row whose libraries conflict with the libraries of other rows. It must contain this
   * module and a suite with the same name that starts the row's server and client. Everything else
   * is requested from this suite.
   *
   * @return absolute paths; empty for the class path of the bench
   */
  default List<Path> classPath(RowKey row) {
    return List.of();
  }

  /**
   * Returns why a row cannot run on this machine, with a remedy, in one line. Called once per run
   * before any measurement.
   *
   * @return null if the row can run
   */
  default @Nullable String obstacle(RowKey row) {
    return null;
  }

  /**
   * Returns whether programs other than this JVM do the work of a row. Their use of heap, CPU and
   * direct memory is unknown and not shown.
   */
  default boolean foreign(RowKey row) {
    return false;
  }

  /**
   * Returns what rows have in common that may be measured alternately in one fork, such as the
   * directions of a method; the row itself if it needs a fork of its own.
   */
  default RowKey fork(RowKey row) {
    return row;
  }

  /**
   * Returns whether the rows only mean something over a network. Over the loopback they are not
   * run.
   */
  default boolean needsNetwork() {
    return false;
  }

  /**
   * Returns the ceilings that do the work that a row cannot avoid, measured with the row's load.
   * The fastest of them bounds the row.
   */
  default List<CeilingName> ceilings(RowKey row) {
    return List.of();
  }

  /**
   * Returns ceilings of parts of the work. They are measured with the run's file and shown in
   * addition.
   */
  default List<CeilingName> partCeilings(RowKey row) {
    return List.of();
  }

  /**
   * Starts the server of a row in this process, which may be the process of the client or a
   * separate one.
   *
   * @throws IOException if it does not start; nothing keeps running then
   */
  RowServer openServer(RowKey row, Workplace workplace) throws IOException;

  /**
   * Starts the client of a row.
   *
   * @param port the port on which its server listens
   * @throws IOException if it does not start; nothing keeps running then
   */
  Operation openClient(RowKey row, Workplace workplace, int port) throws IOException;

  /**
   * What the label of a row states. A sample that contradicts it fails the row.
   *
   * @param protocol the protocol to negotiate
   * @param encoding the encoding to negotiate
   * @param codec the encoding library
   * @param processes the minimum number of processes that share the work, regardless of the run's
   *     setting; with 2 the server has a separate process
   */
  record Promise(String protocol, String encoding, Codec codec, int processes) {}
}
