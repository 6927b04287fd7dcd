package dev.ferry.lab.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the kernel has counted at a network device of this process's namespace.
 *
 * @param receivedBytes the bytes that came from the device
 * @param receivedPackets the packets that came from the device
 * @param sentBytes the bytes that went to the device
 */
public record DeviceCounters(long receivedBytes, long receivedPackets, long sentBytes) {
  private static final Path COUNTERS = Path.of("/proc/self/net/dev");
  private static final int RECEIVED_PACKETS = 1;
  private static final int SENT_BYTES = 8;

  /**
   * Reads the counters.
   *
   * @throws IOException if the system has no such device or no such counters
   */
  public static DeviceCounters read(String device) throws IOException {
    String start = device + ":";
    try (Stream<String> lines = Files.lines(COUNTERS)) {
      String[] fields =
          lines
              .map(String::strip)
              .filter(line -> line.startsWith(start))
              .map(line -> line.substring(start.length()).strip().split("\\s+", -1))
              .findFirst()
              .orElseThrow(() -> new IOException("no network device " + device));
      return new DeviceCounters(
          Long.parseLong(fields[0]),
          Long.parseLong(fields[RECEIVED_PACKETS]),
          Long.parseLong(fields[SENT_BYTES]));
    } catch (NumberFormatException e) {
      throw new IOException(COUNTERS + " has other fields than expected", e);
    }
  }
}
