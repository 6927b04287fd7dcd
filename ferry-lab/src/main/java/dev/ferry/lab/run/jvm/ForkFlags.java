package dev.ferry.lab.run.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The flags of the JVM of a fork, or of the server of a row. */
public final class ForkFlags {
  /** The system property of a fork, and of the server of its row, with the path of its job file. */
  public static final String JOB = "ferry.lab.job";

  /**
   * The system property with further flags, one a line, which affect only how fast a fork starts.
   * The launcher gives forks a class data archive by it, which fits the JVM of this process alone.
   */
  private static final String START_UP = "ferry.lab.start-up-flags";

  private ForkFlags() {}

  /**
   * Returns all flags of a fork but those of its row.
   *
   * @param jvm its JVM
   * @param shared the flags of all forks of the run
   * @param job its job file
   * @param temporary the folder into which it extracts native libraries
   */
  public static List<String> of(Jvm jvm, JvmFlags shared, Path job, Path temporary) {
    List<String> flags = new ArrayList<>(shared.all());
    flags.addAll(jvm.flags());
    flags.add("-D" + JOB + "=" + job);
    flags.add("-Djava.io.tmpdir=" + temporary);
    // Log output during a transfer would be measured with it.
    flags.add("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
    flags.add("-Dslf4j.internal.verbosity=ERROR");
    if (jvm.isOwn()) {
      System.getProperty(START_UP, "").lines().forEach(flags::add);
    }
    return flags;
  }
}
