package dev.ferry.bench;

import dev.ferry.cli.program.SizeConverter;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.run.jvm.JvmFlags;
import dev.ferry.lab.run.jvm.Jvms;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ferry bench} for the measuring JVMs. */
final class JvmOptions {
  @Option(
      names = "--java",
      paramLabel = "PATH",
      split = ",",
      description =
          "The JDKs on which each row runs, such as /opt/jdk-17,/opt/jdk-25, compared side by side"
              + " (default: the one that runs this command).")
  private List<Path> java = List.of();

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "The heap of each JVM, from its start on (default: 1G).")
  private @Nullable Long heap;

  @Option(
      names = "--gc",
      paramLabel = "NAME",
      description =
          "The garbage collector: serial, parallel, g1, z or shenandoah, if the JVM has it"
              + " (default: g1).")
  private @Nullable String collector;

  @Option(
      names = "--jvm-args",
      paramLabel = "ARGS",
      description = "Further flags of each JVM, such as \"-Xss512k -XX:+UseStringDeduplication\".")
  private @Nullable String arguments;

  /** Returns whether the user names a JVM, or gives it flags of any kind. */
  boolean areFree() {
    return !java.isEmpty() || arguments != null;
  }

  /** Starts the JVMs once to see that they can run. */
  Jvms jvms() throws LabException {
    return Jvms.start(java, JvmFlags.of(heap, collector, arguments));
  }
}
