package dev.ferry.lab.run.jvm;

import com.sun.management.OperatingSystemMXBean;
import dev.ferry.core.FerryVersion;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Ferry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Determines the environment of a run and the build. */
public final class EnvironmentProbe {
  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentProbe.class);

  private static final OperatingSystemMXBean OS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private EnvironmentProbe() {}

  /**
   * Returns the environment of this machine.
   *
   * @param workFolder the folder of temporary files
   * @param jvms the JVMs that measure here
   * @param started the time of the start
   */
  public static Environment probe(Path workFolder, Jvms jvms, Instant started) {
    JvmFlags flags = jvms.flags();
    return new Environment(
        started.truncatedTo(ChronoUnit.SECONDS).toString(),
        osName(),
        System.getProperty("os.version", "unknown"),
        cpu(),
        Runtime.getRuntime().availableProcessors(),
        OS.getTotalMemorySize(),
        jvms.versions(),
        jvms.names(),
        flags.all(),
        flags.collector().label(),
        flags.heapBytes(),
        fileSystem(workFolder),
        load(),
        -1);
  }

  /** Returns the one-minute load average; negative if the system does not provide it. */
  public static double load() {
    return Math.round(OS.getSystemLoadAverage() * 100) / 100.0;
  }

  /** Returns the build of this process. */
  public static Ferry ferry() {
    FerryVersion version = FerryVersion.current();
    return new Ferry(version.version(), version.commit());
  }

  private static String osName() {
    return firstValue(Path.of("/etc/os-release"), "PRETTY_NAME=", System.getProperty("os.name", ""))
        .replace("\"", "");
  }

  private static String cpu() {
    return firstValue(
        Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch", "unknown"));
  }

  /** Returns the value after a key and its separator in a text file of the system. */
  private static String firstValue(Path file, String key, String otherwise) {
    if (!Files.isReadable(file)) {
      return otherwise;
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(l -> l.startsWith(key))
          .map(l -> l.substring(key.length()).replaceFirst("^\\s*:\\s*", ""))
          .findFirst()
          .orElse(otherwise);
    } catch (IOException e) {
      LOG.debug("{} cannot be read", file, e);
      return otherwise;
    }
  }

  private static String fileSystem(Path folder) {
    try {
      return Files.getFileStore(folder).type();
    } catch (IOException e) {
      LOG.debug("{} has no known file system", folder, e);
      return "unknown";
    }
  }
}
