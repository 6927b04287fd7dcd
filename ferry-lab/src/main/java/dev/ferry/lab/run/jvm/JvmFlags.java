package dev.ferry.lab.run.jvm;

import dev.ferry.lab.model.LabException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flags of all measuring JVMs of a run that affect the figures. Reports print them.
 *
 * @param heapBytes the initial and maximum heap size in bytes
 * @param collector the garbage collector
 * @param more further flags
 */
public record JvmFlags(long heapBytes, Collector collector, List<String> more) {
  /** The flags of runs that can be compared with each other. */
  public static final JvmFlags DEFAULT = new JvmFlags(1L << 30, Collector.G1, List.of());

  private static final long KIB = 1024;
  private static final String UNITS = "kmg";

  public JvmFlags {
    more = List.copyOf(more);
  }

  /**
   * Returns the flags that a user asks for.
   *
   * @param heapBytes the heap size in bytes; null for the default
   * @param collector the name of the garbage collector; null for the default
   * @param more further flags, separated by spaces; null for none
   * @throws LabException if a name is unknown, or if a flag belongs to another option
   */
  public static JvmFlags of(
      @Nullable Long heapBytes, @Nullable String collector, @Nullable String more)
      throws LabException {
    List<String> flags =
        more == null ? List.of() : Stream.of(more.strip().split("\\s+", -1)).toList();
    for (String flag : flags) {
      if (!flag.startsWith("-")) {
        throw LabException.usage(
            "--jvm-args: '" + flag + "' is not a flag of a JVM; flags begin with -");
      }
      if (flag.startsWith("-Xms") || flag.startsWith("-Xmx")) {
        throw LabException.usage("--jvm-args: give --heap SIZE instead of " + flag);
      }
      if (flag.matches("-XX:\\+Use\\w+GC")) {
        throw LabException.usage("--jvm-args: give --gc NAME instead of " + flag);
      }
    }
    return new JvmFlags(
        heapBytes == null ? DEFAULT.heapBytes : heapBytes,
        collector == null ? DEFAULT.collector : Collector.parse(collector),
        flags);
  }

  /**
   * Returns all of them. A third compiler thread (the default on two cores is two) shortens the
   * warm-up from seven to four seconds and is idle afterwards. Compiler threads must not end: the
   * warm-up ends when their CPU times stand still.
   */
  public List<String> all() {
    String heap = heap();
    List<String> all =
        new ArrayList<>(
            List.of(
                "-Xms" + heap,
                "-Xmx" + heap,
                collector.flag(),
                "-XX:CICompilerCount=3",
                "-XX:-UseDynamicNumberOfCompilerThreads"));
    all.addAll(more);
    return all;
  }

  private String heap() {
    long size = heapBytes;
    String unit = "";
    for (int i = 0; i < UNITS.length() && size > 0 && size % KIB == 0; i++) {
      size /= KIB;
      unit = UNITS.substring(i, i + 1);
    }
    return size + unit;
  }
}
