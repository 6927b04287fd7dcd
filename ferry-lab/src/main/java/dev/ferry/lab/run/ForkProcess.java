package dev.ferry.lab.run;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.jvm.Jvm;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs one job in a JVM of its own. */
final class ForkProcess {
  private static final String NO_NETWORK = "the process of the network ended early";

  private ForkProcess() {}

  /**
   * Runs a job to its end.
   *
   * @param jvm its JVM
   * @param flags all flags of its JVM
   * @param classPath the class path of its JVM; if empty, the class path of this process
   * @param jobFile the file from which the fork reads the job
   * @param log the file to which the output of the fork is appended
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
    Files.deleteIfExists(job.failure());
    List<String> command = new ArrayList<>();
    command.add(jvm.program().toString());
    command.addAll(flags);
    if (ends != null) {
      command.addAll(ends.flags());
    }
    Files.writeString(
        log,
        "%n%s, round %d%n%s%n".formatted(job.title(), job.round() + 1, String.join(" ", command)),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    command.add("-cp");
    command.add(
        classPath.isEmpty()
            ? System.getProperty("java.class.path", "")
            : classPath.stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
    command.add(ForkMain.class.getName());
    CompletableFuture<?> network = ends == null ? new CompletableFuture<>() : ends.onExit();
    if (network.isDone()) {
      return NO_NETWORK;
    }
    Process process =
        new ProcessBuilder(ends == null ? command : ends.client(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      CompletableFuture.anyOf(process.onExit(), network).get();
      if (process.isAlive() || network.isDone()) {
        return NO_NETWORK;
      }
      int status = process.exitValue();
      return Files.exists(job.failure())
          ? Files.readString(job.failure())
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
}
