package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.library.FerryServer;
import dev.ferry.library.Protocol;
import io.netty.util.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.FileSystemResource;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Runs the service, and Reactor Netty, on the Netty that Ferry needs. */
@Timeout(120)
final class ReactorNettyTest {
  private static final Duration BOUND = Duration.ofMinutes(1);

  @TempDir Path root;
  @TempDir Path local;

  @Test
  void serviceAndReactorNetty_shareTheNettyOfFerry() throws Exception {
    Path letter = Files.writeString(local.resolve("letter.txt"), "hello\n".repeat(20_000));
    try (FerryServer server =
            FerryServer.builder(LocalFileStore.open(root)).grpcPort(0).httpPort(0).start();
        ConfigurableApplicationContext service =
            SpringApplication.run(
                FilesApplication.class,
                "--server.port=0",
                "--ferry.server=" + server.address(Protocol.HTTP))) {
      String port = service.getEnvironment().getProperty("local.server.port");
      WebClient client = WebClient.create("http://127.0.0.1:" + port + "/files/letter.txt");

      client.put().bodyValue(new FileSystemResource(letter)).retrieve().toBodilessEntity().block(BOUND);

      assertThat(root.resolve("letter.txt")).hasSameTextualContentAs(letter);
      assertThat(client.get().retrieve().bodyToMono(String.class).block(BOUND))
          .isEqualTo(Files.readString(letter));
    }
    assertThat(Version.identify().get("netty-transport").artifactVersion()).startsWith("4.2.");
  }

  @Test
  void reactorNetty_asServer_respondsOnTheNettyOfFerry() {
    DisposableServer echo =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle((request, response) -> response.send(request.receive().retain()))
            .bindNow();
    try {
      String text = "hello\n".repeat(20_000);
      assertThat(
              WebClient.create("http://127.0.0.1:" + echo.port())
                  .post()
                  .bodyValue(text)
                  .retrieve()
                  .bodyToMono(String.class)
                  .block(BOUND))
          .isEqualTo(text);
    } finally {
      echo.disposeNow();
    }
  }
}
