package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class ServeCommandTest {
  @Test
  @Timeout(60)
  void serve_untilInterrupted_servesAllPortsAndStops(@TempDir Path root) throws Exception {
    Files.writeString(root.resolve("hello.txt"), "hello");
    PipedWriter pipe = new PipedWriter();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (BufferedReader out = new BufferedReader(new PipedReader(pipe))) {
      Future<Integer> exitCode =
          executor.submit(
              () ->
                  Main.commandLine()
                      .setOut(new PrintWriter(pipe, true))
                      .execute(
                          "serve",
                          root.toString(),
                          "--grpc-port=0",
                          "--http-port=0",
                          "--web-port=0"));

      String grpc = out.readLine().replaceAll("grpc +(\\S+) .*", "$1");
      String http = out.readLine().replaceAll("http +http://([^/]+)/files/ .*", "$1");
      String web = out.readLine().replaceAll("web +http://([^/]+)/ .*", "$1");
      assertThat(Outcome.of("ls", "--server", grpc).out()).contains("  hello.txt");
      assertThat(Outcome.of("ls", "--server", http, "--carrier=http").out())
          .contains("  hello.txt");
      assertThat(Outcome.of("ls", "--server", web).out()).contains("  hello.txt");
      assertThat(Outcome.of("ls", "--server", web, "--carrier=http").out()).contains("  hello.txt");

      executor.shutdownNow();
      assertThat(out.readLine()).isEqualTo("stopped");
      assertThat(exitCode.get(30, TimeUnit.SECONDS)).isZero();
      assertThat(Outcome.of("ls", "--server", grpc).exitCode()).isEqualTo(1);
      assertThat(Outcome.of("ls", "--server", http, "--carrier=http").exitCode()).isEqualTo(1);
    } finally {
      executor.shutdownNow();
    }
  }
}
