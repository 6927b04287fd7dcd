package dev.ferry.suites.rival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.jdk.JdkFileClient;
import dev.ferry.suites.rival.jdk.JdkFileServer;
import dev.ferry.suites.rival.jetty.JettyFileServer;
import dev.ferry.suites.rival.netty.NettyFileClient;
import dev.ferry.suites.rival.netty.NettyFileServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servers of files as their makers have them; EveryRowTest has the transfers that succeed. */
@Timeout(300)
final class PlainServersTest {
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULT.withVerify(false);

  @TempDir Path folder;

  private enum Kind {
    JDK,
    JETTY,
    NETTY;

    RowServer start(Path root) throws IOException {
      return switch (this) {
        case JDK -> JdkFileServer.start(root);
        case JETTY -> JettyFileServer.start(root);
        case NETTY -> NettyFileServer.start(root);
      };
    }

    TransferClient connect(int port) throws IOException {
      return this == NETTY
          ? NettyFileClient.connect("127.0.0.1", port)
          : new JdkFileClient("127.0.0.1", port, HttpProtocol.HTTP_1_1, false);
    }
  }

  @ParameterizedTest
  @EnumSource
  void download_missingFile_notFoundAndNothingLeft(Kind kind) throws IOException {
    Path root = Files.createDirectory(folder.resolve("root"));
    try (RowServer server = kind.start(root);
        TransferClient client = kind.connect(server.port())) {
      assertThat(download(client).kind()).isEqualTo(ErrorKind.NOT_FOUND);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(root);
    }
  }

  /** A server whose thread reads and blocks at once would stall now and then. */
  @ParameterizedTest
  @EnumSource
  void upload_repeatedly_arrivesWhole(Kind kind) throws IOException {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path source = Files.write(folder.resolve("source"), new byte[8 << 20]);
    try (RowServer server = kind.start(root);
        TransferClient client = kind.connect(server.port())) {
      for (int i = 0; i < Round.times(5, 20); i++) {
        client.upload(source, new StorePath("file-" + i), OPTIONS);

        assertThat(root.resolve("file-" + i)).hasSize(8 << 20);
        Files.delete(root.resolve("file-" + i));
      }
    }
  }

  @Test
  void download_nettyServerIsGone_fails() throws IOException {
    RowServer server = NettyFileServer.start(folder);
    try (TransferClient client = Kind.NETTY.connect(server.port())) {
      // A connection that is not accepted before the server ends would stay open.
      assertThat(download(client).kind()).isEqualTo(ErrorKind.NOT_FOUND);
      server.close();

      assertThat(download(client).kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    }
  }

  private FerryException download(TransferClient client) {
    return catchThrowableOfType(
        FerryException.class,
        () -> client.download(new StorePath("no"), folder.resolve("target"), OPTIONS));
  }
}
