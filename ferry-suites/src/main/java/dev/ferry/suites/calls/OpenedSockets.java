package dev.ferry.suites.calls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Connections that this machine has opened, as Linux counts them ({@code ActiveOpens} of {@code
 * /proc/net/snmp}): of all programs, so no other program may connect meanwhile.
 */
final class OpenedSockets {
  private static final Path COUNTERS = Path.of("/proc/net/snmp");
  private static final String TCP = "Tcp:";
  private static final String OPENS = "ActiveOpens";

  private OpenedSockets() {}

  /** Returns the number so far; empty if the system does not report it. */
  static OptionalLong count() {
    try {
      List<String> lines =
          Files.readAllLines(COUNTERS).stream().filter(l -> l.startsWith(TCP)).toList();
      if (lines.size() != 2) {
        return OptionalLong.empty();
      }
      List<String> names = List.of(lines.get(0).split(" ", -1));
      String[] values = lines.get(1).split(" ", -1);
      int place = names.indexOf(OPENS);
      return place < 0 ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(values[place]));
    } catch (IOException e) {
      // The system is not Linux.
      return OptionalLong.empty();
    }
  }
}
