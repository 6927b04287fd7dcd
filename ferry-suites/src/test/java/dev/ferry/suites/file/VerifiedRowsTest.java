package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that was asked for a digest, or was sent one, knows it after that. */
final class VerifiedRowsTest {
  private static final Suite SUITE = new FileTransferSuite();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  Path folder;

  @ParameterizedTest
  @CsvSource({
    "ZeroCopy, download, off",
    "ZeroCopy, download, sha256",
    "ZeroCopy, upload, off",
    "ZeroCopy, upload, sha256",
    "HttpClientFile, download, off",
    "HttpClientFile, download, sha256",
    "HttpClientFile, upload, off",
    "HttpClientFile, upload, sha256",
    "ApacheTuned, download, sha256",
    "ApacheTuned, upload, sha256"
  })
  void transfer_ofARow_exchangesDigestsIfItVerifies(String method, String direction, String verify)
      throws Exception {
    RowKey row =
        new RowKey(
            SUITE.name(),
            "verified-" + direction,
            method,
            Map.of("Verify", verify, "BufferSize", "65536", "UseCompression", "false"));
    Workplace workplace = workplace();

    try (RowServer server = SUITE.openServer(row, workplace);
        LoadDriver client =
            new LoadDriver(SUITE.openClient(row, workplace, server.port()), SUITE.load(row));
        Carrier probe =
            method.equals("ZeroCopy")
                ? GrpcCarrier.connect(FileTransports.HOST, server.port(), Method.ZERO_COPY)
                : FileTransports.jdk(server.port())) {
      client.prepare();
      client.run();

      Sha256 known = probe.stat(name(workplace, direction), false).sha256();
      assertThat(known).isEqualTo(verify.equals("off") ? null : workplace.sha256());
    }
  }

  /** Of the file that the server has sent or received. */
  private static StorePath name(Workplace workplace, String direction) throws IOException {
    try (Stream<Path> files = Files.list(workplace.store())) {
      return files
          .filter(file -> file.equals(workplace.source()) == direction.equals("download"))
          .map(file -> new StorePath(String.valueOf(file.getFileName())))
          .findFirst()
          .orElseThrow();
    }
  }

  private Workplace workplace() throws IOException {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.writeString(store.resolve("file"), "a line of text\n".repeat(100_000));
    return new Workplace(store, client, source, Files.size(source), Sha256.ofFile(source));
  }
}
