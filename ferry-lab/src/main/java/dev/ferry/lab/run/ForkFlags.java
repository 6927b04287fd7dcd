package dev.ferry.lab.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The flags of the measuring JVMs, pinned so that runs can be compared. */
final class ForkFlags {
  /** Heap of a fork, in bytes. */
  static final long HEAP_BYTES = 1L << 30;

  /** Name of the pinned collector. */
  static final String COLLECTOR = "G1";

  /**
   * What matters to the figures, and is printed. A third compiler thread, where two cores have two
   * by default, ends the warm-up in four seconds instead of seven and is idle after it.
   */
  static final List<String> PRINTED =
      List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "-XX:CICompilerCount=3");

  private ForkFlags() {}

  /** All flags of a fork; {@code temporary} takes the native libraries that it decompresses. */
  static List<String> of(Path job, Path temporary) {
    List<String> flags = new ArrayList<>(PRINTED);
    flags.add("-D" + Job.PROPERTY + "=" + job);
    flags.add("-Djava.io.tmpdir=" + temporary);
    // Logging in the middle of a transfer would be measured with it.
    flags.add("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
    flags.add("-Dslf4j.internal.verbosity=ERROR");
    return flags;
  }
}
