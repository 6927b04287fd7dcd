package dev.ferry.lab.run;

import dev.ferry.lab.model.Usage;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.suite.RowServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a row's client, which is this process, and of its server if that is a separate
 * process. Used by one thread.
 */
final class ClientServerMeters implements AutoCloseable {
  private final @Nullable ServerProcess server;
  private final Meters meters = new Meters();

  /** Creates meters. They also measure the server if it has a separate process. */
  ClientServerMeters(@Nullable RowServer server) {
    this.server = server instanceof ServerProcess process ? process : null;
  }

  /**
   * The resource use of an operation.
   *
   * @param own the use of this process
   * @param server the use of the server process; null if there is none
   */
  record Used(Usage own, @Nullable Usage server) {
    /** Returns the sum of both. */
    Usage total() {
      return server == null ? own : own.plus(server);
    }

    /** Returns the use of the client; null if it is not known separately. */
    @Nullable Usage client() {
      return server == null ? null : own;
    }
  }

  /** Starts the measurement, just before an operation. */
  void start() throws IOException {
    if (server != null) {
      server.startMeters();
    }
    meters.start();
  }

  /** Stops the measurement, just after an operation. */
  Used stop() throws IOException {
    Usage own = meters.stop();
    return new Used(own, server == null ? null : server.stopMeters());
  }

  /**
   * Returns the milliseconds spent on compilation so far. It includes both processes, because
   * compilation in either slows down the row.
   */
  long compiledMillis() throws IOException {
    return WarmUp.compiled() + (server == null ? 0 : server.compiledMillis());
  }

  /** Triggers a garbage collection in both processes. */
  void collect() throws IOException {
    System.gc();
    if (server != null) {
      server.collect();
    }
  }

  /**
   * Returns the real cause of a failure: the death of the server if it has died, else the failure
   * itself.
   */
  Exception causeOf(Exception failure) {
    return server == null ? failure : server.causeOf(failure);
  }

  @Override
  public void close() {
    meters.close();
  }
}
