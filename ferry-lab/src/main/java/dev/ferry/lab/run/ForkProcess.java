package dev.ferry.lab.run;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.jvm.Jvm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs one job in a JVM at the client's end of a network. JMH's own forks would need a connection
 * to this process, which is in another network namespace.
 */
final class ForkProcess {
  private static final String NO_NETWORK = "the process of the network ended early";

  private ForkProcess() {}

  /**
   * Runs a job to its end.
   *
   * @param jvm its JVM
   * @param flags all flags of its JVM
   * @param classPath the class path of its JVM; if empty, the class path of this process
   * @param failure the file in which the fork leaves the reason of a failure
   * @param log the file to which the output is appended
   * @return the reason of a failure; null if the job succeeded
   */
  static @Nullable String run(
      Jvm jvm, List<String> flags, List<Path> classPath, Path failure, Path log, WireEnds ends)
      throws IOException {
    Files.deleteIfExists(failure);
    List<String> command = new ArrayList<>();
    command.add(jvm.program().toString());
    command.addAll(flags);
    command.addAll(ends.flags());
    command.add("-cp");
    command.add(
        classPath.isEmpty() ? System.getProperty("java.class.path", "") : Fork.join(classPath));
    command.add(Main.class.getName());
    CompletableFuture<?> network = ends.onExit();
    if (network.isDone()) {
      return NO_NETWORK;
    }
    Process process =
        new ProcessBuilder(ends.client(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      CompletableFuture.anyOf(process.onExit(), network).get();
      if (process.isAlive() || network.isDone()) {
        return NO_NETWORK;
      }
      int status = process.exitValue();
      return Files.exists(failure)
          ? Files.readString(failure)
          : status == 0
              ? null
              : "the measuring JVM ended with exit code " + status + "; see " + log.getFileName();
    } catch (ExecutionException e) {
      throw new IOException("no end of a fork: " + Reason.ofCause(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a fork ran");
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * The main class of the fork. JMH runs in it. The fork ends when its standard input ends, which
   * happens when the process that started it ends for any reason.
   */
  static final class Main {
    private Main() {}

    /** Called with the job in {@link ForkFlags#JOB}. */
    @SuppressWarnings("SystemOut") // It goes to the run's log.
    public static void main(String[] arguments) {
      Thread watcher = new Thread(Main::awaitEnd, "ferry-parent-watcher");
      watcher.setDaemon(true);
      watcher.start();
      int status = 0;
      try {
        new Runner(Fork.options(Job.ofFork()).forks(0).build()).run();
      } catch (IOException | RunnerException | RuntimeException e) {
        System.err.println(Reason.of(e));
        status = 1;
      }
      // Threads of a client that does not stop must not keep the process alive.
      System.exit(status);
    }

    private static void awaitEnd() {
      try {
        while (System.in.read() >= 0) {
          // Only the end counts.
        }
      } catch (IOException e) {
        // It is gone as well.
        Runtime.getRuntime().halt(1);
      }
      Runtime.getRuntime().halt(1);
    }
  }
}
