package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.TestFiles;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes in which the library of zstd does not load, as where no file can be executed. */
@Timeout(120)
final class NativeLibrariesTest {
  /** A property of zstd-jni: the folder to which it unpacks its library. */
  private static final String NOWHERE = "-DZstdTempFolder=/proc/none";

  @TempDir Path root;
  @TempDir Path local;
  private Path file = Path.of("");

  private Process start(String... words) throws Exception {
    file = TestFiles.write(root.resolve("f"), new byte[300_000]);
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                PseudoTerminal.SHORT_LIFE,
                NOWHERE,
                Main.class.getName()));
    command.addAll(List.of(words));
    ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
    process.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return process.start();
  }

  private void assertTransfers(String server) throws Exception {
    Path copy = local.resolve("copy");
    String get = String.join(" ", "get f", copy.toString(), "-v --zstd --server", server);
    String put = "put " + file + " new -v --zstd --server " + server;
    for (String command : List.of(get, put)) {
      Outcome outcome = Outcome.of(command.split(" "));
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out()).contains("gzip");
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    assertThat(Files.mismatch(file, root.resolve("new"))).isEqualTo(-1);
  }

  @Test
  void zstd_thatTheServerDoesNotHave_isReplacedByGzip() throws Exception {
    Process server = start("serve", root.toString(), "--grpc-port=0", "--http-port=0");
    try {
      BufferedReader out = server.inputReader();
      assertTransfers(out.readLine().replaceAll("grpc +(\\S+) .*", "$1"));
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void zstd_thatTheClientDoesNotHave_isReplacedByGzip() throws Exception {
    file = TestFiles.write(root.resolve("f"), new byte[300_000]);
    try (Servers servers = Servers.start(root)) {
      String server = "--server=" + servers.address(CarrierChoice.GRPC);
      List<List<String>> commands =
          List.of(
              List.of("get", "f", local.resolve("copy").toString(), "-v", "--zstd", server),
              List.of("put", file.toString(), "new", "-v", "--zstd", server));
      for (Outcome outcome : CommandLines.run(local, List.of(NOWHERE), commands)) {
        assertThat(outcome.out()).contains("gzip");
        assertThat(outcome.exitCode()).as("%s", outcome).isZero();
      }
    }
    assertThat(Files.mismatch(file, local.resolve("copy"))).isEqualTo(-1);
    assertThat(Files.mismatch(file, root.resolve("new"))).isEqualTo(-1);
  }
}
