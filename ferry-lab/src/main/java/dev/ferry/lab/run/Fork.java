package dev.ferry.lab.run;

import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.jvm.Jvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one job in a separate JVM with JMH. */
final class Fork {
  private static final String CLASS_PATH = "java.class.path";

  static {
    // The JMH lock would prevent two runs on one machine and leave its file in the temporary
    // folder. The probe for compiler blackholes starts a JVM and matters only for benchmarks of
    // nanoseconds.
    System.setProperty("jmh.ignoreLock", "true");
    System.setProperty("jmh.blackhole.autoDetect", "false");
  }

  private Fork() {}

  /**
   * Runs a job to its end.
   *
   * @param jvm its JVM
   * @param flags all flags of its JVM
   * @param classPath the class path of its JVM; if empty, the class path of this process
   * @param log the file to which the output of JMH and the fork is appended
   * @param ends how to get to the ends of the network; null for the loopback
   * @return the reason of a failure; null if the job succeeded
   */
  static @Nullable String run(
      Job job,
      Jvm jvm,
      List<String> flags,
      List<Path> classPath,
      Path jobFile,
      Path log,
      @Nullable WireEnds ends)
      throws IOException {
    job.write(jobFile);
    if (ends != null) {
      return ForkProcess.run(jvm, flags, classPath, job.failure(), log, ends);
    }
    Options options =
        options(job)
            .forks(1)
            .jvm(jvm.program().toString())
            .jvmArgs(flags.toArray(String[]::new))
            .build();
    if (classPath.isEmpty()) {
      return run(options, job.failure(), log);
    }
    // JMH takes the class path of a fork from this property and has no option for it. JMH appends
    // its own -cp, which overrides one in the flags. Only one fork runs at a time, and nothing else
    // reads the property meanwhile.
    String own = System.getProperty(CLASS_PATH, "");
    System.setProperty(CLASS_PATH, join(classPath));
    try {
      return run(options, job.failure(), log);
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  private static @Nullable String run(Options options, Path failure, Path log) throws IOException {
    Files.deleteIfExists(failure);
    RunnerException thrown = null;
    try (OutputStream file =
            Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        PrintStream out = new PrintStream(file, false, StandardCharsets.UTF_8)) {
      new Runner(options, OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL)).run();
    } catch (RunnerException e) {
      thrown = e;
    }
    if (Files.exists(failure)) {
      return Files.readString(failure);
    }
    return thrown == null
        ? null
        : "the measuring JVM ended early: " + firstLine(thrown) + "; see " + log.getFileName();
  }

  /** Returns a class path as the flag of a JVM. */
  static String join(List<Path> classPath) {
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns what JMH is to do, without the JVM in which it does it. */
  static ChainedOptionsBuilder options(Job job) {
    return new OptionsBuilder()
        .include("^" + SampleBenchmark.class.getName().replace(".", "\\.") + "\\.run$")
        .param("subject", job.title())
        .warmupIterations(SampleBenchmark.WARMUP_ITERATIONS)
        .measurementIterations(job.settings().samplesPerRound())
        .shouldFailOnError(true);
  }

  private static String firstLine(RunnerException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no message").strip();
  }
}
