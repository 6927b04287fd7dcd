package dev.ferry.lab.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The flags of the measuring JVMs. They are fixed so that runs can be compared. */
final class ForkFlags {
  /** The heap size of a fork in bytes. */
  static final long HEAP_BYTES = 1L << 30;

  /** The name of the garbage collector. */
  static final String COLLECTOR = "G1";

  /**
   * The flags that affect the figures, which reports print. A third compiler thread (the default on
   * two cores is two) shortens the warm-up from seven to four seconds and is idle afterwards.
   * Compiler threads must not end: the warm-up ends when their CPU times stand still.
   */
  static final List<String> PRINTED =
      List.of(
          "-Xms1g",
          "-Xmx1g",
          "-XX:+UseG1GC",
          "-XX:CICompilerCount=3",
          "-XX:-UseDynamicNumberOfCompilerThreads");

  /**
   * The system property with further flags, one a line, which affect only how fast a fork starts.
   * The launcher gives forks a class data archive by it.
   */
  private static final String START_UP = "ferry.lab.start-up-flags";

  private ForkFlags() {}

  /**
   * Returns all flags of a fork.
   *
   * @param temporary the folder into which it extracts native libraries
   */
  static List<String> of(Path job, Path temporary) {
    List<String> flags = new ArrayList<>(PRINTED);
    flags.add("-D" + Job.PROPERTY + "=" + job);
    flags.add("-Djava.io.tmpdir=" + temporary);
    // Log output during a transfer would be measured with it.
    flags.add("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
    flags.add("-Dslf4j.internal.verbosity=ERROR");
    System.getProperty(START_UP, "").lines().forEach(flags::add);
    return flags;
  }
}
