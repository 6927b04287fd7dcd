package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.library.FerryServer;
import dev.ferry.library.Protocol;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the service beside a Ferry server. */
@Timeout(120)
final class FilesApplicationTest {
  @TempDir Path root;
  @TempDir Path local;

  @Test
  void files_goThroughTheService() throws Exception {
    Path letter = Files.writeString(local.resolve("letter.txt"), "hello\n".repeat(1_000_000));
    Path copy = local.resolve("copy.txt");
    try (FerryServer server =
            FerryServer.builder(LocalFileStore.open(root)).grpcPort(0).httpPort(0).start();
        ConfigurableApplicationContext service =
            SpringApplication.run(
                FilesApplication.class,
                "--server.port=0",
                "--ferry.server=" + server.address(Protocol.HTTP))) {
      String port = service.getEnvironment().getProperty("local.server.port");
      URI uri = URI.create("http://127.0.0.1:" + port + "/files/letter.txt");
      HttpClient http = HttpClient.newHttpClient();

      HttpRequest put = HttpRequest.newBuilder(uri).PUT(BodyPublishers.ofFile(letter)).build();
      assertThat(http.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
      assertThat(root.resolve("letter.txt")).hasSameBinaryContentAs(letter);

      HttpRequest get = HttpRequest.newBuilder(uri).build();
      assertThat(http.send(get, BodyHandlers.ofFile(copy)).statusCode()).isEqualTo(200);
      assertThat(copy).hasSameBinaryContentAs(letter);

      HttpRequest missing = HttpRequest.newBuilder(uri.resolve("missing")).build();
      HttpResponse<String> problem = http.send(missing, BodyHandlers.ofString());
      assertThat(problem.statusCode()).isEqualTo(404);
      assertThat(problem.body()).contains("missing");
    }
  }
}
