package dev.ferry.cli.doctor;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.ferry.core.ByteSize;
import dev.ferry.core.internal.KernelFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a server gets from the machine and its operating system. */
public final class MachineChecks {
  private static final Path SYSTEM = Path.of("/proc/sys/net");

  /** A connection with a transfer has a socket, a file, and a file that is renamed. */
  private static final int DESCRIPTORS_PER_CONNECTION = 3;

  /** The last value of {@code tcp_wmem} and {@code tcp_rmem} on most systems, at least. */
  private static final long USUAL_BUFFER = 4L << 20;

  private static final double FAR_SECONDS = 0.1;

  private MachineChecks() {}

  /**
   * Checks the JVM, the clock, the limits of this process and the kernel's buffers.
   *
   * @param connections how many connections the server allows
   */
  public static List<Finding> all(int connections) {
    List<Finding> found = new ArrayList<>();
    found.add(java());
    found.add(clock(Instant.now(), built()));
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      found.add(descriptors(unix.getMaxFileDescriptorCount(), connections));
    }
    found.addAll(buffers(SYSTEM));
    return found;
  }

  private static Finding java() {
    Runtime jvm = Runtime.getRuntime();
    return Finding.ok(
        "java",
        "%s of %s, %d processors, heap up to %s, and direct memory up to the same"
            .formatted(
                Runtime.version(),
                System.getProperty("java.vendor"),
                jvm.availableProcessors(),
                ByteSize.readable(jvm.maxMemory())));
  }

  private static Instant built() {
    CodeSource source = MachineChecks.class.getProtectionDomain().getCodeSource();
    try {
      return source == null
          ? Instant.MIN
          : Files.getLastModifiedTime(Path.of(source.getLocation().toURI())).toInstant();
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      // Not started from a file.
      return Instant.MIN;
    }
  }

  static Finding clock(Instant now, Instant built) {
    String says = "it is " + now.truncatedTo(ChronoUnit.SECONDS);
    return now.isBefore(built)
        ? Finding.fault(
            "clock",
            says
                + ", before Ferry was installed; set the clock, or clients and this machine refuse"
                + " valid certificates")
        : Finding.ok("clock", says + "; certificates need it to be right");
  }

  static Finding descriptors(long limit, int connections) {
    long wanted = (long) DESCRIPTORS_PER_CONNECTION * connections;
    String says = String.format(Locale.ROOT, "%,d files and sockets at a time", limit);
    return limit < wanted
        ? Finding.note(
            "descriptors",
            String.format(
                Locale.ROOT,
                "%s; %,d connections with a transfer each need %,d: raise it (ulimit -n %d), or"
                    + " lower --max-connections",
                says,
                connections,
                wanted,
                wanted))
        : Finding.ok("descriptors", says);
  }

  /** Checks the kernel's buffers. Finds nothing on systems that do not show them. */
  static List<Finding> buffers(Path system) {
    List<Finding> found = new ArrayList<>();
    for (String name : List.of("tcp_wmem", "tcp_rmem")) {
      try {
        String[] words =
            KernelFile.read(system.resolve("ipv4").resolve(name)).strip().split("\\s+");
        found.add(buffer(name, Long.parseLong(words[words.length - 1])));
      } catch (IOException | NumberFormatException e) {
        // Another kernel, or hidden from this process.
      }
    }
    return found;
  }

  private static Finding buffer(String name, long bytes) {
    String says =
        String.format(
            Locale.ROOT,
            "%s: one connection %s at most %.0f Mbit/s over 100 ms",
            ByteSize.megabytes(bytes),
            name.equals("tcp_wmem") ? "sends" : "receives",
            bytes * 8 / FAR_SECONDS / 1e6);
    return bytes < USUAL_BUFFER
        ? Finding.note(
            name, says + "; raise the last value of sysctl net.ipv4." + name + " to 16777216")
        : Finding.ok(name, says);
  }
}
