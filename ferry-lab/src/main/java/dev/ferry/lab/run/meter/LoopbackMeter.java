package dev.ferry.lab.run.meter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Counts the bytes that pass over the loopback interface, in both directions, by the kernel's
 * counter. They include payload, framing, TLS, and the headers of TCP and IP, which are few since
 * the loopback has large segments. What other programs send over the loopback at the same time
 * counts as well. Used by one thread.
 */
public final class LoopbackMeter {
  private static final Path COUNTERS = Path.of("/proc/self/net/dev");
  private static final String LOOPBACK = "lo:";
  private static final long UNKNOWN = -1;

  private long before = UNKNOWN;

  /** Begins to count. */
  public void start() {
    before = transferred();
  }

  /** Returns the bytes since the start; -1 if the system does not count them. */
  public long stop() {
    long now = transferred();
    return before < 0 || now < 0 ? UNKNOWN : now - before;
  }

  /** Returns the bytes that have ever passed; -1 if the system does not count them. */
  private static long transferred() {
    try (Stream<String> lines = Files.lines(COUNTERS)) {
      return lines
          .map(String::strip)
          .filter(line -> line.startsWith(LOOPBACK))
          .map(line -> line.substring(LOOPBACK.length()).strip().split("\\s+", 2)[0])
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
