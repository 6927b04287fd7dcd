package dev.ferry.lab.run;

import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.network.SharedCounters;
import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.meter.LoopbackMeter;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.run.meter.ThreadMeter;
import dev.ferry.lab.run.server.ServerProcess;
import dev.ferry.lab.suite.RowServer;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a row's client, which is this process, and of its server if that is a separate
 * process, perhaps on another machine. Used by one thread.
 */
final class ClientServerMeters implements AutoCloseable {
  private final @Nullable ServerProcess server;
  private final boolean twoMachines;
  private final Meters meters = new Meters();
  private final LoopbackMeter loopback = new LoopbackMeter();
  private final @Nullable WireEnds ends = WireEnds.ofFork();
  private final @Nullable SharedCounters network;
  private OptionalLong wireBefore = OptionalLong.empty();
  private double tripsBefore;
  private long retransmittedBefore;

  /** Creates meters. They also measure the server if it has a separate process. */
  ClientServerMeters(@Nullable RowServer server) throws IOException {
    this.server = server instanceof ServerProcess process ? process : null;
    this.twoMachines = this.server != null && this.server.isRemote();
    this.network = ends == null ? null : SharedCounters.of(ends);
  }

  /**
   * The figures of an operation.
   *
   * @param own the figures of this process
   * @param other the figures of the server process; null if there is none
   * @param twoMachines whether the other process is on another machine
   * @param loopbackBytes the bytes that passed between the ends; -1 if not known
   * @param wireNanos the CPU time of the network between the ends in nanoseconds; 0 without one,
   *     null if not known
   * @param roundTrips the round trips over the network; null without one
   * @param retransmittedBytes the bytes that TCP has sent again over it; null without one
   */
  record Used(
      Meters.Figures own,
      Meters.@Nullable Figures other,
      boolean twoMachines,
      long loopbackBytes,
      @Nullable Long wireNanos,
      @Nullable Double roundTrips,
      @Nullable Long retransmittedBytes) {
    /** Returns the resource use of both. */
    Usage total() {
      return other == null ? own.usage() : own.usage().plus(other.usage());
    }

    /** Returns the use of the client; null if it is not known separately. */
    @Nullable Usage client() {
      return other == null ? null : own.usage();
    }

    /** Returns the use of the server; null if it is not known separately. */
    @Nullable Usage server() {
      return other == null ? null : other.usage();
    }

    /**
     * Returns what else ran.
     *
     * @param foreign whether other programs do the work, so that those that disturb it are unknown
     * @param elapsedNanos the duration of the sample
     */
    Disturbance disturbance(boolean foreign, long elapsedNanos) {
      Usage used = total();
      Long compiler = sum(Meters.Figures::compilerNanos);
      Long busy = ofMachines(Meters.Figures::busyNanos);
      return new Disturbance(
          elapsedNanos,
          compiler,
          sum(Meters.Figures::delayNanos),
          ofMachines(Meters.Figures::stealNanos),
          foreign || busy == null || compiler == null || wireNanos == null
              ? null
              : (Long) (busy - used.cpuNanos() - compiler - wireNanos),
          sum(Meters.Figures::involuntary),
          foreign ? null : (Long) (used.young() + used.old()));
    }

    /** Returns a figure of the machine, or the sum of both. */
    private @Nullable Long ofMachines(ToLongFunction<Meters.Figures> figure) {
      long a = figure.applyAsLong(own);
      return twoMachines ? sum(figure) : a < 0 ? null : (Long) a;
    }

    private @Nullable Long sum(ToLongFunction<Meters.Figures> figure) {
      long a = figure.applyAsLong(own);
      long b = other == null ? 0 : figure.applyAsLong(other);
      return a < 0 || b < 0 ? null : (Long) (a + b);
    }
  }

  /** Starts the measurement, just before an operation. */
  void start() throws IOException {
    loopback.start();
    wireBefore = wireNanos();
    if (network != null) {
      tripsBefore = network.roundTrips();
      retransmittedBefore = network.retransmittedBytes();
    }
    if (server != null) {
      server.startMeters();
    }
    meters.start();
  }

  /** Stops the measurement, just after an operation. */
  Used stop() throws IOException {
    Meters.Figures own = meters.stop();
    return new Used(
        own,
        server == null ? null : server.stopMeters(),
        twoMachines,
        // Its device does not count what passes between machines.
        twoMachines ? -1 : loopback.stop(),
        wireSince(wireBefore),
        network == null ? null : (Double) (network.roundTrips() - tripsBefore),
        network == null ? null : (Long) (network.retransmittedBytes() - retransmittedBefore));
  }

  private OptionalLong wireNanos() {
    return ends == null ? OptionalLong.of(0) : ThreadMeter.cpuNanos(ends.pid());
  }

  private @Nullable Long wireSince(OptionalLong before) {
    OptionalLong now = wireNanos();
    return before.isEmpty() || now.isEmpty() ? null : (Long) (now.getAsLong() - before.getAsLong());
  }

  /**
   * Returns the nanoseconds that the compiler has worked so far. It includes both processes,
   * because compilation in either slows down the row.
   */
  long compilerNanos() throws IOException {
    return ThreadMeter.compilerNanos() + (server == null ? 0 : server.compilerNanos());
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
