package dev.ferry.lab.model.network;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network of a run.
 *
 * @param asked what it was asked to be
 * @param congestion the congestion control of the kernel that connections had
 * @param offload whether segments of TCP crossed the wire together, up to 64 KiB
 * @param freshConnections whether a connection started without what the kernel had learned of the
 *     path by earlier ones
 * @param calibrations what bare sockets measured, before the rows, whenever the run was resumed,
 *     and after the rows
 * @param wire what the wire has forwarded since the run was started or resumed; null if it ended
 *     early
 * @param reason why the run decides nothing, in one line; null if the network was what it was asked
 *     to be
 */
public record NetworkRun(
    Network asked,
    String congestion,
    boolean offload,
    boolean freshConnections,
    List<Calibration> calibrations,
    @Nullable WireCounters wire,
    @Nullable String reason) {
  public NetworkRun {
    calibrations = List.copyOf(calibrations);
  }
}
