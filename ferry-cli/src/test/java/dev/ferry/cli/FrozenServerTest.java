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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server in a process of its own, which is stopped (SIGSTOP) while it serves. */
@Timeout(300)
final class FrozenServerTest {
  private static final long SIZE = 4L << 30;

  /** The proxies hold all bytes after these, so no transfer ends before the server is stopped. */
  private static final long SOME = 16L << 20;

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
                PseudoTerminal.SHORT_LIFE,
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

  @Test
  void transfers_serverIsStopped_endAndLeaveNothing() throws Exception {
    Path source = sparse(logs.resolve("source"));
    try (Transfers grpc = new Transfers(CarrierChoice.GRPC, grpcPort, source);
        Transfers http = new Transfers(CarrierChoice.HTTP, httpPort, source)) {
      List<Transfers> all = List.of(grpc, http);
      for (Transfers transfers : all) {
        transfers.warmUp();
      }
      for (Transfers transfers : all) {
        transfers.begin();
      }
      for (Transfers transfers : all) {
        transfers.awaitBytes();
      }

      signal("STOP");
      for (Transfers transfers : all) {
        transfers.release();
      }
      for (Transfers transfers : all) {
        transfers.assertEnd();
      }
    }
  }

  /** A download and an upload over one carrier, each with a proxy of its own. */
  private final class Transfers implements AutoCloseable {
    private final CarrierChoice carrier;
    private final int port;
    private final Path source;
    private final Path target;
    private final TcpProxy down;
    private final TcpProxy up;
    private CompletableFuture<Outcome> get = new CompletableFuture<>();
    private CompletableFuture<Outcome> put = new CompletableFuture<>();

    Transfers(CarrierChoice carrier, int port, Path source) throws IOException {
      this.carrier = carrier;
      this.port = port;
      this.source = source;
      target = Files.createDirectory(local.resolve(carrier.toString()));
      down = new TcpProxy(port);
      up = new TcpProxy(port);
    }

    /** A new server on a busy machine may take more than 3 s for its first responses. */
    void warmUp() throws Exception {
      String small = Files.writeString(logs.resolve("small-" + carrier), "small").toString();
      String name = "small-" + carrier;
      assertThat(run(carrier, port, "60s", "put", small, name).get().exitCode()).isZero();
      assertThat(run(carrier, port, "60s", "get", name, small + "2").get().exitCode()).isZero();
    }

    void begin() {
      down.holdAfter(SOME);
      up.holdAfter(SOME);
      get = run(carrier, down.port(), "10s", "get", "big", target.toString());
      put = run(carrier, up.port(), "10s", "put", source.toString(), "copy-" + carrier);
    }

    /** Waits until both files are being received. */
    void awaitBytes() throws Exception {
      while (Received.bytes(target) == 0) {
        assertThat(get).isNotDone();
        Thread.sleep(5);
      }
      // The server has the bytes of both uploads in one folder; so much is more than a handshake.
      while (Received.bytes(root) == 0 || up.requestedBytes() < 1 << 20) {
        assertThat(put).isNotDone();
        Thread.sleep(5);
      }
    }

    void release() {
      down.release();
      up.release();
    }

    void assertEnd() throws Exception {
      String line =
          ": no byte for 10 s: \\d+\\.\\d MB of 4295\\.0 MB"
              + "; is the server or the network down\\? \\(--stall-timeout\\)";
      assertThat(get.get().complaints().strip()).matches("ferry get: big" + line);
      assertThat(get.get().exitCode()).isEqualTo(6);
      assertThat(put.get().complaints().strip()).matches("ferry put: copy-" + carrier + line);
      assertThat(put.get().exitCode()).isEqualTo(6);
      assertThat(target).isEmptyDirectory();
    }

    @Override
    public void close() throws IOException {
      down.close();
      up.close();
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
