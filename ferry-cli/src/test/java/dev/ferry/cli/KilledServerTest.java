package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Digest;
import dev.ferry.core.Round;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to a server whose process is killed, again and again, and started again. */
@Timeout(300)
final class KilledServerTest {
  private static final int BYTES = Round.times(27_000_000, 40_000_000);
  private static final int EACH = Round.times(18_000_000, 9_000_000);
  private static final int KILLS = Round.times(1, 3);
  private static final Pattern PORT = Pattern.compile("grpc +127\\.0\\.0\\.1:(\\d+) .*");

  @TempDir Path temporary;

  private static int port(BufferedReader out) throws IOException {
    Matcher line = PORT.matcher(out.readLine());
    assertThat(line.matches()).isTrue();
    return Integer.parseInt(line.group(1));
  }

  /** Bytes that the server has of the upload. */
  private static long received(Path root) throws IOException {
    Path state = root.resolve(".ferry-uploads");
    if (!Files.isDirectory(state)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(state)) {
      List<Path> bytes = files.filter(file -> file.toString().endsWith(".bytes")).toList();
      return bytes.isEmpty() ? 0 : Files.size(bytes.get(0));
    }
  }

  @Test
  void put_serverKilledAgainAndAgain_goesOnWhereTheServerIs() throws Exception {
    Path root = Files.createDirectory(temporary.resolve("root"));
    Path file = TestFiles.write(temporary.resolve("file"), TestFiles.incompressible(BYTES, 1));
    Process server = ServeProcess.start(root);
    try (TcpProxy proxy = new TcpProxy(port(server.inputReader()))) {
      proxy.slow(1);
      Background<Outcome> put =
          Background.start(
              () ->
                  Outcome.of(
                      "put", file.toString(), "--server=" + proxy.address(), "--retry-for=1m"));
      for (int kill = 1; kill <= KILLS; kill++) {
        while (received(root) < (long) kill * EACH) {
          Thread.sleep(2);
        }
        // Nobody else who gets the port meanwhile.
        proxy.forwardTo(0);
        server.destroyForcibly().waitFor();
        server = ServeProcess.start(root);
        proxy.forwardTo(port(server.inputReader()));
      }
      proxy.release();
      Outcome outcome = put.result();

      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out())
          .contains("crc32c " + Digest.Algorithm.CRC32C.ofFile(file) + " verified");
      // What the sockets held when the server was killed is sent twice, some 3 MB each time. An
      // upload that began anew each time would send another 18 MB or more, and another 54 MB after
      // three times.
      assertThat(proxy.requestedBytes()).isLessThan(BYTES + Round.times(9_000_000, 45_000_000));
    } finally {
      server.destroyForcibly();
    }
    assertThat(Files.mismatch(file, root.resolve("file"))).isEqualTo(-1);
    assertThat(received(root)).isZero();
  }
}
