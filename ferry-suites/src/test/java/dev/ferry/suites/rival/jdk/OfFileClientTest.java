package dev.ferry.suites.rival.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;

final class OfFileClientTest {
  private static final StorePath NAME = new StorePath("file");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
  }

  private HttpFilesServer serve() throws IOException {
    return HttpFilesServer.start(
        LocalFileStore.open(root), "127.0.0.1", 0, 65_536, ServerSettings.defaults());
  }

  @ParameterizedTest
  @NullSource
  @EnumSource(Digest.Algorithm.class)
  void transfer_ofAFile_arrivesWholeAndLeavesNothingElse(Digest.@Nullable Algorithm digest)
      throws IOException {
    byte[] bytes = "a line of text\n".repeat(200_000).getBytes();
    Path source = Files.write(folder.resolve("source"), bytes);
    TransferOptions options = TransferOptions.DEFAULT.withDigest(digest);

    try (HttpFilesServer server = serve();
        OfFileClient client = OfFileClient.connect("127.0.0.1", server.port(), null)) {
      client.upload(source, NAME, options);
      client.download(NAME, folder.resolve("target"), options);
    }

    assertThat(root.resolve("file")).binaryContent().isEqualTo(bytes);
    assertThat(folder.resolve("target")).binaryContent().isEqualTo(bytes);
    assertLeft("root", "source", "target");
  }

  @Test
  void download_missingFile_notFoundAndNothingLeft() throws IOException {
    try (HttpFilesServer server = serve()) {
      assertThat(download(server.port(), Digest.Algorithm.CRC32C).kind())
          .isEqualTo(ErrorKind.NOT_FOUND);
    }
    assertLeft("root");
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void download_otherBytesThanTheServersDigest_failsAndNothingLeft(Digest.Algorithm algorithm)
      throws IOException {
    Digest other = algorithm.ofFile(Files.writeString(root.resolve("other"), "other"));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        HttpRoutes.FILES,
        exchange -> {
          exchange
              .getResponseHeaders()
              .set(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(other));
          exchange.sendResponseHeaders(200, 4);
          exchange.getResponseBody().write("file".getBytes());
          exchange.close();
        });
    server.start();
    try {
      int port = server.getAddress().getPort();
      assertThat(download(port, algorithm).kind()).isEqualTo(ErrorKind.DIGEST_MISMATCH);
    } finally {
      server.stop(0);
    }
    assertLeft("root");
  }

  private FerryException download(int port, Digest.Algorithm algorithm) {
    try (OfFileClient client = OfFileClient.connect("127.0.0.1", port, null)) {
      return catchThrowableOfType(
          FerryException.class,
          () ->
              client.download(
                  NAME, folder.resolve("target"), TransferOptions.DEFAULT.withDigest(algorithm)));
    }
  }

  private void assertLeft(String... names) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrder(names);
    }
  }
}
