package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.lab.network.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the bench leaves of a network: nothing, whichever way it ends. Skipped where no network can
 * be made, with the reason. Ways to end that differ little run with {@code -Pthorough} alone.
 */
final class BenchNetworkTest {
  private static final int PATIENCE_SECONDS = 120;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path work;

  @BeforeEach
  void requireNetworks() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    String obstacle = Namespaces.obstacle(work);
    assumeThat(obstacle).as(obstacle).isNull();
  }

  private String[] arguments() {
    return new String[] {
      "bench",
      "--network=rtt=1ms",
      "--filter=table=download,BufferSize=65536,UseCompression=false,method=ZeroCopy",
      "--file-size=1M",
      "--work-dir=" + work,
      "--out=" + folder.resolve("run")
    };
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_network_isInTheReportAndLeavesNothing() throws Exception {
    List<String> arguments = new ArrayList<>(List.of(arguments()));
    arguments.addAll(List.of("--profile=smoke", "-v"));
    Outcome outcome = Outcome.of(new Main(), arguments.toArray(String[]::new));

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .contains("Network custom: RTT 1 ms, no limit of the rate, loss 0 %")
        .contains("Network before, by bare sockets: RTT p50 ")
        .contains("Network after, by bare sockets: RTT p50 ")
        .contains("| RTTs ", "| Round trips ", "| Retransmitted ");
    assertThat(work).isEmptyDirectory();
    assertThat(ProcessHandle.current().descendants().filter(BenchNetworkTest::isForwarder))
        .isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void forwarderDies_failsTheRowsAndLeavesNothing() throws Exception {
    Process bench = bench();
    try {
      ProcessHandle forwarder = forwarder(bench.toHandle());
      Set<String> namespaces = awaitFork(forwarder);
      forwarder.destroyForcibly();

      assertThat(bench.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(bench.exitValue()).isEqualTo(1);
      assertThat(folder.resolve("log"))
          .content()
          .contains("the process of the network ended early")
          .contains("No answer: the network could not be measured after the rows");
      Namespaces.awaitEmpty(namespaces);
    } finally {
      bench.destroyForcibly();
    }
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void sigkill_inAFork_leavesNoProcessAndNoNamespace() throws Exception {
    endInAFork(Process::destroyForcibly);
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void sigterm_inAFork_leavesNoProcessAndNoNamespace() throws Exception {
    endInAFork(Process::destroy);
  }

  private void endInAFork(Consumer<Process> signal) throws Exception {
    Process bench = bench();
    try {
      Set<String> namespaces = awaitFork(forwarder(bench.toHandle()));
      signal.accept(bench);
      assertThat(bench.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      Namespaces.awaitEmpty(namespaces);
    } finally {
      bench.destroyForcibly();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void ctrlC_inAFork_leavesNoProcessAndNoNamespace() throws Exception {
    String command = PseudoTerminal.ferry(Main.class) + " " + String.join(" ", arguments());
    try (PseudoTerminal terminal = new PseudoTerminal(command)) {
      Set<String> namespaces = awaitFork(forwarder(ProcessHandle.current()));
      terminal.type(PseudoTerminal.CTRL_C);

      assertThat(terminal.exitCode()).isEqualTo(130);
      Namespaces.awaitEmpty(namespaces);
    }
    assertThat(work).isEmptyDirectory();
  }

  private Process bench() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static boolean isForwarder(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
          .strip()
          .equals("wire");
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  private static ProcessHandle forwarder(ProcessHandle parent) throws Exception {
    for (int i = 0; i < PATIENCE_SECONDS * 100; i++) {
      Optional<ProcessHandle> found =
          parent.descendants().filter(BenchNetworkTest::isForwarder).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no forwarder");
  }

  /** Waits until both ends of a row are at the ends of the wire. Returns the namespaces. */
  private static Set<String> awaitFork(ProcessHandle forwarder) throws Exception {
    for (int i = 0; i < PATIENCE_SECONDS * 100; i++) {
      Set<String> namespaces = Namespaces.of(forwarder.pid());
      if (namespaces.size() == 2
          && Namespaces.members(namespaces).stream().anyMatch(BenchNetworkTest::isServer)) {
        return namespaces;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no fork");
  }

  private static boolean isServer(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
          .contains("dev.ferry.lab.run.server.ServerMain");
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }
}
