package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.TcpProxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The end from outside, in a process of its own.
 *
 * <p>By SIGTERM, which takes the same way as Ctrl-C: a build in the background of a shell ignores
 * SIGINT, and so would the process it starts.
 */
final class InterruptOnExitTest {
  private static final int SIGTERM_EXIT_CODE = 143;
  private static final long SIZE = 64L << 20;

  /** Several of the largest frames: of less than one, nothing reaches the file. */
  private static final long RESPONSE_BYTES = 8L << 20;

  @ParameterizedTest
  @EnumSource
  @Timeout(300)
  void get_endedInTheMiddle_exitsBySignalAndKeepsWhatHasArrived(
      CarrierChoice carrier, @TempDir Path root, @TempDir Path target, @TempDir Path logs)
      throws Exception {
    sparseFile(root.resolve("big"));
    try (Servers servers = Servers.start(root);
        TcpProxy proxy = TcpProxy.droppingResponses(servers.port(carrier), RESPONSE_BYTES)) {
      Path err = logs.resolve("err");
      Process process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  PseudoTerminal.SHORT_LIFE,
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "get",
                  "big",
                  target.toString(),
                  "--server=" + proxy.address(),
                  "--carrier=" + carrier)
              .redirectError(err.toFile())
              .redirectOutput(logs.resolve("out").toFile())
              .start();
      try {
        awaitSomeBytes(process, target);
        process.destroy();

        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(Received.bytes(target)).isPositive();
        assertThat(target.resolve("big")).doesNotExist();
        assertThat(process.exitValue()).isEqualTo(SIGTERM_EXIT_CODE);
        assertThat(Files.readString(err).lines().filter(line -> !line.matches(".* MB( of .*)?")))
            .singleElement()
            .asString()
            .startsWith("ferry get: big");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static void sparseFile(Path file) throws Exception {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[1]), SIZE - 1);
    }
  }

  private static void awaitSomeBytes(Process process, Path folder) throws Exception {
    while (process.isAlive()) {
      try (Stream<Path> files = Files.list(folder)) {
        if (files.anyMatch(file -> file.toFile().length() > 0)) {
          return;
        }
      }
      Thread.sleep(20);
    }
  }
}
