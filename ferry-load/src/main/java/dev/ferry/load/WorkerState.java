package dev.ferry.load;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a worker is, and how it got on.
 *
 * @param worker its number, from 1
 * @param complete whether all of its operations have ended
 * @param started when its measured part began, by its own clock
 * @param seconds seconds of the measured part in which operations have arrived
 * @param elapsedSeconds seconds from its beginning until now, or until the last operation ended
 * @param waited operations that were not started in time because too many were running
 * @param notStarted operations that were never started
 * @param notEnded operations that did not end, not even when they were interrupted
 * @param mostInFlight the most operations that ran at a time
 * @param cores processors of the machine
 * @param cpuShare time of processors that the process used, divided by all there was
 * @param clock its clock compared with the server's; null if that is not known
 */
public record WorkerState(
    int worker,
    boolean complete,
    Instant started,
    double seconds,
    double elapsedSeconds,
    long waited,
    long notStarted,
    long notEnded,
    int mostInFlight,
    int cores,
    double cpuShare,
    @Nullable ClockOffset clock) {
  /** When operations arrived for the last time, by the clock of the worker. */
  Instant ended() {
    return started.plusNanos(Math.round(seconds * 1e9));
  }
}
