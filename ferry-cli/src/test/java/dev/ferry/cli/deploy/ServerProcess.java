package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.ServeProcess;
import dev.ferry.core.RefusingPort;
import dev.ferry.wire.internal.RawHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One {@code ferry serve} of several over one folder, in a process that can be replaced. */
final class ServerProcess implements AutoCloseable {
  private static final int STOP_SECONDS = 120;

  private final Path root;
  private final Path callers;
  private final Path err;
  private Process process;
  private BufferedReader out;
  private int grpc;
  private int http;
  private int admin;

  /** Starts one on free ports, without waiting until it serves. */
  ServerProcess(Path root, Path callers, Path err) throws IOException {
    this.root = root;
    this.callers = callers;
    this.err = err;
    process = launch();
    out = process.inputReader();
  }

  private Process launch() throws IOException {
    List<String> command =
        ServeProcess.command(
            // Three of them on two processors start faster so.
            List.of(PseudoTerminal.SHORT_LIFE, "-XX:+UseSerialGC", "-Xmx256m"),
            root,
            List.of(
                "--admin=127.0.0.1:" + admin,
                "--callers=" + callers,
                "--grpc-port=" + grpc,
                "--http-port=" + http));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(err.toFile()))
        .start();
  }

  /** Waits until it serves. */
  void await() throws IOException {
    grpc = ServeProcess.port(out.readLine());
    http = ServeProcess.port(out.readLine());
    admin = ServeProcess.port(out.readLine());
  }

  int grpc() {
    return grpc;
  }

  int http() {
    return http;
  }

  int admin() {
    return admin;
  }

  /** Drains it and starts another one on its ports. */
  void restart() throws Exception {
    // Unlike that of the process, this leaves its output open.
    process.toHandle().destroy();
    assertThat(process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(out.lines().toList())
        .contains("stopped")
        .doesNotContain("ended the requests that were still running");
    out.close();
    try (RefusingPort unused = refusing(grpc);
        RefusingPort unusedToo = refusing(http);
        RefusingPort unusedAsWell = refusing(admin)) {
      process = launch();
      out = process.inputReader();
      await();
    }
  }

  private static RefusingPort refusing(int port) throws IOException {
    return new RefusingPort(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Ends it as a crash does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The sum of a metric over its labels. */
  double metric(String name) throws IOException {
    return RawHttp.exchange(admin, "GET /metrics HTTP/1.1\r\n")
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    out.close();
  }
}
