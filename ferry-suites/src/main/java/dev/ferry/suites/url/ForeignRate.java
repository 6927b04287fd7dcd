package dev.ferry.suites.url;

import dev.ferry.lab.model.RunDocument.Settings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How rows spare a server of which nobody has said that it may be loaded. */
final class ForeignRate {
  /** The system property of a fork with the bytes per second that it may move. */
  private static final String PROPERTY = "ferry.url.bytes-per-second";

  /** Warm-up operations of a row with a limited rate. */
  private static final int WARM_UP = 4;

  /** The shortest time between two operations with a limited rate. */
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private ForeignRate() {}

  /** Returns the flags that tell a fork its rate, in bytes per second; 0 for no limit. */
  static List<String> flags(long bytesPerSecond) {
    return bytesPerSecond == 0 ? List.of() : List.of("-D" + PROPERTY + "=" + bytesPerSecond);
  }

  /** Returns the settings of a profile for rows with a rate; 0 for no limit. */
  static Settings settings(long bytesPerSecond, Settings profile) {
    return bytesPerSecond == 0
        ? profile
        : new Settings(
            profile.rounds(),
            profile.samplesPerRound(),
            0,
            profile.maxWarmupMillis(),
            WARM_UP,
            WARM_UP);
  }

  /**
   * Waits as long as the rate of this fork demands before an operation.
   *
   * @param bytes what it moves
   */
  static void pause(long bytes) throws IOException {
    long bytesPerSecond = Long.getLong(PROPERTY, 0);
    if (bytesPerSecond == 0) {
      return;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(
          Math.max(LEAST_PAUSE_NANOS, (long) (1e9 * bytes / bytesPerSecond)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
