package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Round;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code deploy/load/workers.sh} with workers in processes of their own. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class WorkersScriptTest {
  @TempDir Path temporary;
  @TempDir Path root;

  private Path script(String name, String text) throws IOException {
    Path file = Files.writeString(temporary.resolve(name), "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  static Stream<String> machines() {
    return Stream.of("one two", "").limit(Round.times(1, 2));
  }

  /**
   * Runs two workers.
   *
   * @param hosts the machines, which are reached by an {@code ssh} that stays here; none for the
   *     workers of this machine
   */
  @ParameterizedTest
  @MethodSource("machines")
  void workers_two_startTogetherAndAreMerged(String hosts) throws Exception {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Path ferry =
        script(
            "ferry",
            "exec %s -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\""
                .formatted(java, System.getProperty("java.class.path"), Main.class.getName()));
    // Options, the machine, and the command.
    script(
        "ssh",
        "[ \"$1\" = -n ] && cd '%s' && shift $(($# - 1)) && exec sh -c \"$1\""
            .formatted(temporary));
    Path out = temporary.resolve("out");
    Process process;
    String printed;
    try (Servers servers = Servers.start(root)) {
      ProcessBuilder builder =
          new ProcessBuilder(
              Manifests.DEPLOY.resolve("load/workers.sh").toString(),
              "2",
              out.toString(),
              "--server=" + servers.address(CarrierChoice.GRPC),
              "--rate=100/s",
              "--for=1s",
              "--warm-up=500ms",
              "--mix=stat");
      builder.environment().put("HOSTS", hosts);
      builder.environment().put("FERRY", ferry.toString());
      builder.environment().put("START_IN", String.valueOf(3 + 5 * secondsOfAStart(ferry)));
      builder.environment().merge("PATH", temporary.toString(), (old, first) -> first + ":" + old);
      process = builder.redirectErrorStream(true).start();
      printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed).containsPattern("\\nstat +100 +0 ");
    assertThat(printed).doesNotContain("missing", "ended after", "exit code");
    for (String worker : List.of("worker-1", "worker-2")) {
      assertThat(out.resolve(worker).resolve("report.json")).exists();
    }
    assertThat(temporary).isDirectoryNotContaining("glob:**/ferry-load-*");
  }

  /** Returns how long the program takes to start, in seconds, rounded up. */
  private static long secondsOfAStart(Path ferry) throws Exception {
    long began = System.nanoTime();
    assertThat(new ProcessBuilder(ferry.toString(), "--version").start().waitFor()).isZero();
    return 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
  }

  @Test
  void interrupt_whileWorkersRun_endsThemAndMerges() throws Exception {
    Path ferry =
        script("ferry", "[ \"$2\" = merge ] && echo merged && exit 1\necho started; exec sleep 60");
    Path out = temporary.resolve("out");
    // A build in the background ignores SIGINT, and so would all that it starts.
    ProcessBuilder builder =
        new ProcessBuilder(
            "env",
            "--default-signal=INT",
            Manifests.DEPLOY.resolve("load/workers.sh").toString(),
            "3",
            out.toString(),
            "--rate=1/s");
    builder.environment().put("FERRY", ferry.toString());
    Process process = builder.redirectErrorStream(true).start();
    for (int worker = 1; worker <= 3; worker++) {
      Path log = out.resolve("worker-" + worker + ".log");
      while (!Files.exists(log) || Files.size(log) == 0) {
        Thread.sleep(10);
      }
    }
    List<ProcessHandle> workers = process.children().toList();
    assertThat(workers).hasSize(3);

    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();

    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(process.inputReader().lines())
        .contains("workers: worker 3: exit code 130: started", "merged");
    assertThat(workers).noneMatch(ProcessHandle::isAlive);
  }
}
