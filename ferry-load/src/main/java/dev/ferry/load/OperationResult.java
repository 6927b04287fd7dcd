package dev.ferry.load;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was measured of an operation, or of several together.
 *
 * @param operation its name
 * @param arrivals how many were to start
 * @param askedPerSecond arrivals a second
 * @param donePerSecond operations a second that succeeded, until the last one ended
 * @param bytes bytes of files that those moved
 * @param bytesPerSecond the same a second
 * @param errors number of failures by their kind, also of arrivals that were never started or did
 *     not end
 * @param latencies nanoseconds from the intended start to the end of those that succeeded; not to
 *     be changed
 */
public record OperationResult(
    String operation,
    long arrivals,
    double askedPerSecond,
    double donePerSecond,
    long bytes,
    double bytesPerSecond,
    Map<String, Long> errors,
    Histogram latencies) {
  public OperationResult {
    errors = Map.copyOf(errors);
  }

  /** The number of failures. */
  public long failed() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Adds up the results of several operations, or of one by several workers. */
  static OperationResult sum(String name, Collection<OperationResult> parts) {
    Map<String, Long> errors = new TreeMap<>();
    Histogram latencies = new Histogram(LoadRecorder.DIGITS);
    long arrivals = 0;
    long bytes = 0;
    double asked = 0;
    double done = 0;
    double moved = 0;
    for (OperationResult part : parts) {
      part.errors.forEach((kind, count) -> errors.merge(kind, count, Long::sum));
      latencies.add(part.latencies);
      arrivals += part.arrivals;
      bytes += part.bytes;
      asked += part.askedPerSecond;
      done += part.donePerSecond;
      moved += part.bytesPerSecond;
    }
    return new OperationResult(name, arrivals, asked, done, bytes, moved, errors, latencies);
  }
}
