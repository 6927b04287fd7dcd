package dev.ferry.suites.rival.armeria;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.grpcjava.StockMethod.Flow;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Armeria's client with Ferry's server of gRPC-Web. */
@Timeout(300)
class ArmeriaGrpcWebTest {
  private static final byte[] CONTENT = TestFiles.compressible(3_000_000, 1);

  @TempDir Path root;
  @TempDir Path local;

  @BeforeEach
  void makeSource() throws Exception {
    Files.write(local.resolve("source"), CONTENT);
  }

  private static TransferClient connect(int port, boolean text, HttpProtocol protocol) {
    return ArmeriaGrpcWebClient.connect(
        "127.0.0.1",
        port,
        text,
        protocol,
        (channel, close) ->
            StockMethod.DEFAULT.client(channel, protocol.wireName(), Flow.DEFAULT, close),
        StockMethod.gzip());
  }

  @ParameterizedTest
  @CsvSource({"false,HTTP_1_1", "false,H2C", "true,HTTP_1_1", "true,H2C"})
  void armeriasClient_withFerrysServer_movesFiles(boolean text, HttpProtocol protocol)
      throws Exception {
    try (WebFilesServer server =
            WebFilesServer.start(
                LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults());
        TransferClient client = connect(server.port(), text, protocol)) {
      assertMoves(client);
    }
  }

  private void assertMoves(TransferClient client) throws Exception {
    for (TransferOptions options :
        new TransferOptions[] {TransferOptions.DEFAULT, TransferOptions.DEFAULT.withGzip(true)}) {
      StorePath path = StorePath.parse("f");
      client.upload(local.resolve("source"), path, options);
      assertThat(root.resolve("f")).binaryContent().isEqualTo(CONTENT);
      client.download(path, local.resolve("target"), options);
      assertThat(local.resolve("target")).binaryContent().isEqualTo(CONTENT);
    }
  }
}
