package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.TcpProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server in a process of its own, which is stopped (SIGSTOP) while it serves. */
@Timeout(300)
final class FrozenServerTest {
  private static final long SIZE = 4L << 30;

  /** The proxies hold all bytes after these, so no transfer ends before the server is stopped. */
  private static final long SOME = 64L << 20;

  private final ExecutorService commands = Executors.newCachedThreadPool();
  @TempDir Path root;
  @TempDir Path local;
  @TempDir Path logs;
  private Process server;
  private int grpcPort;
  private int httpPort;

  @BeforeEach
  void start() throws Exception {
    sparse(root.resolve("big"));
    server =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                root.toString(),
                "--grpc-port=0",
                "--http-port=0")
            .redirectError(logs.resolve("err").toFile())
            .start();
    BufferedReader out = server.inputReader();
    grpcPort = port(out.readLine());
    httpPort = port(out.readLine());
  }

  /** The port in a line that the server prints when it serves. */
  private static int port(String line) {
    return Integer.parseInt(line.replaceAll(".*" + Servers.HOST + ":(\\d+).*", "$1"));
  }

  @AfterEach
  void stop() throws Exception {
    commands.shutdownNow();
    signal("CONT");
    server.destroyForcibly().waitFor();
  }

  /** One for each port and family of clients. */
  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void transfers_serverIsStopped_endAndLeaveNothing(CarrierChoice carrier) throws Exception {
    Path source = sparse(logs.resolve("source"));
    int port = carrier == CarrierChoice.GRPC ? grpcPort : httpPort;
    try (TcpProxy down = new TcpProxy(port);
        TcpProxy up = new TcpProxy(port)) {
      // A new server on a busy machine may take more than 3 s for its first responses. Not over the
      // proxies: the end of one connection cuts all others of its proxy.
      String small = Files.writeString(logs.resolve("small"), "small").toString();
      assertThat(run(carrier, port, "60s", "put", small, "small").get().exitCode()).isZero();
      assertThat(run(carrier, port, "60s", "get", "small", small + "2").get().exitCode()).isZero();
      down.holdAfter(SOME);
      up.holdAfter(SOME);
      CompletableFuture<Outcome> get =
          run(carrier, down.port(), "3s", "get", "big", local.toString());
      CompletableFuture<Outcome> put =
          run(carrier, up.port(), "3s", "put", source.toString(), "copy");
      awaitBytes(local, get);
      awaitBytes(root, put);

      signal("STOP");
      down.release();
      up.release();

      String line =
          ": no byte for 3 s: \\d+\\.\\d MB of 4295\\.0 MB"
              + "; is the server or the network down\\? \\(--stall-timeout\\)";
      assertThat(get.get().complaints().strip()).matches("ferry get: big" + line);
      assertThat(get.get().exitCode()).isEqualTo(6);
      assertThat(put.get().complaints().strip()).matches("ferry put: copy" + line);
      assertThat(put.get().exitCode()).isEqualTo(6);
      assertThat(local).isEmptyDirectory();
    }
  }

  private CompletableFuture<Outcome> run(
      CarrierChoice carrier, int port, String stallTimeout, String... command) {
    List<String> args =
        Stream.concat(
                Stream.of(command),
                Stream.of(
                    "--server=" + Servers.HOST + ":" + port,
                    "--carrier=" + carrier,
                    "--checksum=none",
                    "--retries=0",
                    "--stall-timeout=" + stallTimeout))
            .toList();
    return CompletableFuture.supplyAsync(() -> Outcome.of(args.toArray(String[]::new)), commands);
  }

  /** Waits until a file is being received. */
  private static void awaitBytes(Path folder, CompletableFuture<Outcome> transfer)
      throws Exception {
    while (Received.bytes(folder) == 0) {
      assertThat(transfer).isNotDone();
      Thread.sleep(5);
    }
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(server.pid())).start().waitFor();
  }

  private static Path sparse(Path file) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(SIZE);
    }
    return file;
  }
}
