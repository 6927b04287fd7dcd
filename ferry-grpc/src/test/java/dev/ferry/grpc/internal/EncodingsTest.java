package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Carrier;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncodingsTest {
  /** No other test listens here, so a server finds its port free again. */
  private static final String HOST = "127.0.0.6";

  @TempDir Path root;

  @Test
  void upload_zstdAfterAFailedRequestForEncodings_requestsAgain() throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.compressible(100_000, 1));
    StorePath copy = StorePath.parse("copy");
    TransferOptions options =
        TransferOptions.DEFAULT
            .withCompression(new Compression(Compression.Format.ZSTD, 3))
            .withTimeout(Duration.ofSeconds(30));
    LocalFileStore store = LocalFileStore.open(root);
    GrpcFilesServer first = GrpcFilesServer.start(store, HOST, 0, ServerSettings.defaults());
    int port = first.port();
    first.close();
    try (Carrier client = GrpcFiles.connect(HOST, port)) {
      assertThatThrownBy(() -> client.upload(file, copy, options))
          .isInstanceOf(FerryException.class);
      try (GrpcFilesServer server =
          GrpcFilesServer.start(store, HOST, port, ServerSettings.defaults())) {
        assertThat(awaitZstd(client, file, copy, options)).isEqualTo("zstd");
      }
    }
  }

  /**
   * Uploads until the file is sent as zstd. A channel that failed to connect waits for a second or
   * so before it tries again. It may connect between a request for encodings, which fails, and the
   * upload, which then sends gzip.
   */
  private static String awaitZstd(
      Carrier client, Path file, StorePath copy, TransferOptions options) throws Exception {
    String encoding = "";
    for (int i = 0; i < 100 && !encoding.equals("zstd"); i++) {
      try {
        encoding = client.upload(file, copy, options).encoding();
      } catch (FerryException e) {
        Thread.sleep(100);
      }
    }
    return encoding;
  }
}
