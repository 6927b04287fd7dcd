package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Background;
import dev.ferry.core.Round;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Downloads whose process is killed, or loses the server, and that are started again. */
@Timeout(300)
final class KilledClientTest {
  private static final int BYTES = Round.times(28_000_000, 40_000_000);
  private static final int EACH = 9_000_000;
  private static final int KILLS = Round.times(2, 3);

  /** Bytes of the protocol around the file, at most. */
  private static final int FRAMING = 1_000_000;

  @TempDir Path temporary;

  private Process get(TcpProxy proxy, Path local) throws IOException {
    ProcessBuilder get =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "get",
            "file",
            local.toString(),
            "--client=grpc",
            "--server=" + proxy.address());
    get.environment().put("XDG_STATE_HOME", temporary.resolve("state").toString());
    return get.redirectErrorStream(true).redirectOutput(temporary.resolve("out").toFile()).start();
  }

  @Test
  void get_killedAgainAndAgain_goesOnWhereItWas() throws Exception {
    Path root = Files.createDirectory(temporary.resolve("root"));
    Path local = Files.createDirectory(temporary.resolve("local"));
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(BYTES, 1));
    try (Servers servers = Servers.start(root);
        TcpProxy proxy = new TcpProxy(servers.port(CarrierChoice.GRPC))) {
      long arrived = 0;
      for (int kill = 1; kill <= KILLS; kill++) {
        proxy.holdAfter(EACH + FRAMING);
        Process get = get(proxy, local);
        // What an earlier process has received gets the name of this one with all its bytes.
        assertThat(awaitKeptFile(get, local)).isGreaterThanOrEqualTo(arrived);
        while (Received.bytes(local) < (long) kill * EACH) {
          assertThat(get.isAlive()).isTrue();
          Thread.sleep(2);
        }
        get.destroyForcibly().waitFor();
        arrived = Received.bytes(local);
        proxy.cut();
      }
      proxy.awaitEnded();
      long responded = proxy.respondedBytes();
      Process get = get(proxy, local);

      assertThat(get.waitFor()).as(Files.readString(temporary.resolve("out"))).isZero();
      assertThat(temporary.resolve("out")).content().containsPattern("resumed at byte \\d{7}");
      assertThat(proxy.respondedBytes() - responded).isLessThan(BYTES - arrived + FRAMING);
    }
    assertThat(Files.mismatch(file, local.resolve("file"))).isEqualTo(-1);
    assertThat(TestFiles.tree(local)).isEqualTo(List.of("file"));
    assertThat(temporary.resolve("state/ferry/downloads")).isEmptyDirectory();
  }

  /** Returns the bytes of the file with which a process goes on, as soon as it has its name. */
  private static long awaitKeptFile(Process get, Path local) throws Exception {
    String prefix = ".ferry-" + get.pid() + "-";
    while (true) {
      try (Stream<Path> files = Files.list(local)) {
        Optional<Path> kept =
            files
                .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
                .filter(file -> file.toString().endsWith(".kept"))
                .findAny();
        if (kept.isPresent()) {
          return Files.size(kept.get());
        }
      }
      assertThat(get.isAlive()).isTrue();
      Thread.sleep(2);
    }
  }

  @Test
  void get_serverGoesAway_saysThatTheSameCommandGoesOn() throws Exception {
    Path root = Files.createDirectory(temporary.resolve("root"));
    Path local = Files.createDirectory(temporary.resolve("local"));
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(BYTES, 1));
    try (Servers servers = Servers.start(root);
        TcpProxy proxy = new TcpProxy(servers.port(CarrierChoice.GRPC))) {
      String[] get = {
        "get",
        "file",
        local.toString(),
        "--client=grpc",
        "--server=" + proxy.address(),
        "--retries=0"
      };
      proxy.holdAfter(EACH);
      Background<Outcome> held = Background.start(() -> Outcome.of(get));
      proxy.awaitHeld();
      while (Received.bytes(local) == 0) {
        Thread.sleep(2);
      }
      proxy.cut();
      assertThat(held.result().exitCode()).isEqualTo(6);
      assertThat(held.result().complaints()).contains("the same command resumes it");
      long arrived = Received.bytes(local);
      assertThat(arrived).isPositive();

      proxy.release();
      proxy.awaitEnded();
      long responded = proxy.respondedBytes();
      Outcome rest = Outcome.of(get);
      assertThat(rest.exitCode()).as(rest.err()).isZero();
      assertThat(proxy.respondedBytes() - responded).isLessThan(BYTES - arrived + FRAMING);
    }
    assertThat(Files.mismatch(file, local.resolve("file"))).isEqualTo(-1);
    assertThat(TestFiles.tree(local)).isEqualTo(List.of("file"));
  }
}
