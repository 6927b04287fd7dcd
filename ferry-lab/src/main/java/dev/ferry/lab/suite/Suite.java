package dev.ferry.lab.suite;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One reference report: tables as data, and a way to do the work of each row.
 *
 * @implSpec Found by {@link java.util.ServiceLoader}, in the command's process and again in every
 *     fork, so an implementation has a public constructor without parameters and no state.
 */
public interface Suite {
  /** As in {@code --suite}; lower-case letters, digits and dashes. */
  String name();

  /** One line that says what is compared. */
  String description();

  /** The tables, in the order of the report. */
  List<Table> tables();

  /** What the label of a row promises. */
  Promise promise(RowKey row);

  /** What a sample of a row does; null for the run's own file, once. */
  default @Nullable Load load(RowKey row) {
    return null;
  }

  /** What a profile means for a row, where some rows cannot be repeated as often as others. */
  default Settings settings(RowKey row, Settings profile) {
    Load load = load(row);
    return load == null ? profile : load.of(profile);
  }

  /**
   * How long an operation with its check is expected to take, for the time a run is announced to
   * take; null to expect what files of the load take.
   */
  default @Nullable Duration expected(RowKey row) {
    return null;
  }

  /** Flags of the row's JVM beside those that all have; they are printed with the row. */
  default List<String> flags(RowKey row) {
    return List.of();
  }

  /**
   * The class path of the row's JVMs, where it is not the bench's own: for a row whose libraries
   * clash with those of other rows. It holds this module, and a suite of the same name that starts
   * the row's server and client; all else is asked of this suite.
   *
   * @return absolute paths; empty for the class path of the bench
   */
  default List<Path> classPath(RowKey row) {
    return List.of();
  }

  /**
   * Why a row cannot run on this machine, and what would help: one line. Asked once a run, before
   * anything is measured.
   *
   * @return null where it can
   */
  default @Nullable String obstacle(RowKey row) {
    return null;
  }

  /**
   * Whether other programs than this JVM do the work of a row; what they need of heap, CPU and
   * direct memory is not known, and so not shown.
   */
  default boolean foreign(RowKey row) {
    return false;
  }

  /**
   * The ceilings that do all the work a row cannot do without, measured with the row's load; the
   * fastest of them bounds the row.
   */
  default List<CeilingName> ceilings(RowKey row) {
    return List.of();
  }

  /** Ceilings of parts of the work, to be measured with the run's own file and shown beside. */
  default List<CeilingName> partCeilings(RowKey row) {
    return List.of();
  }

  /**
   * Starts the server that the row needs, in this process, which may be the client's or one of its
   * own.
   *
   * @throws IOException where it does not start; nothing is left running then
   */
  RowServer openServer(RowKey row, Workplace workplace) throws IOException;

  /**
   * Starts the client of the row.
   *
   * @param port what its server listens on
   * @throws IOException where it does not start; nothing is left running then
   */
  Operation openClient(RowKey row, Workplace workplace, int port) throws IOException;

  /**
   * What the label of a row promises; a sample that differs from it fails the row.
   *
   * @param protocol to be negotiated
   * @param encoding to be negotiated
   * @param codec what encodes
   * @param processes how many processes share the work at least, whatever the run says; with 2 the
   *     server has one of its own
   */
  record Promise(String protocol, String encoding, Codec codec, int processes) {}
}
