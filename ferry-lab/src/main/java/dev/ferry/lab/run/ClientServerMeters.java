package dev.ferry.lab.run;

import dev.ferry.lab.model.Usage;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.suite.RowServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a row's client, which is this process, and of its server, if that is another one.
 * Used by one thread.
 */
final class ClientServerMeters implements AutoCloseable {
  private final @Nullable ServerProcess server;
  private final Meters meters = new Meters();

  /** Measures the server as well if it has a process of its own. */
  ClientServerMeters(@Nullable RowServer server) {
    this.server = server instanceof ServerProcess process ? process : null;
  }

  /**
   * What an operation used.
   *
   * @param own of this process
   * @param server of the server's process, null where it has none
   */
  record Used(Usage own, @Nullable Usage server) {
    /** Both together. */
    Usage total() {
      return server == null ? own : own.plus(server);
    }

    /** What the client used, where that is known. */
    @Nullable Usage client() {
      return server == null ? null : own;
    }
  }

  /** An operation is about to begin. */
  void start() throws IOException {
    if (server != null) {
      server.startMeters();
    }
    meters.start();
  }

  /** It has ended. */
  Used stop() throws IOException {
    Usage own = meters.stop();
    return new Used(own, server == null ? null : server.stopMeters());
  }

  /** Milliseconds of compilation so far: both ends share the cores, so either holds up the row. */
  long compiledMillis() throws IOException {
    return WarmUp.compiled() + (server == null ? 0 : server.compiledMillis());
  }

  /** Collects the garbage of both. */
  void collect() throws IOException {
    System.gc();
    if (server != null) {
      server.collect();
    }
  }

  /** Why an operation really failed: the server's death where it died, else the failure itself. */
  Exception causeOf(Exception failure) {
    return server == null ? failure : server.causeOf(failure);
  }

  @Override
  public void close() {
    meters.close();
  }
}
