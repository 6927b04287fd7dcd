package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.model.Direction;
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

/** A server that was asked for a digest, or received one, knows it afterwards. */
final class VerifiedRowsTest {
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
    Map<String, String> parameters =
        Map.of("Verify", verify, "BufferSize", "65536", "UseCompression", "false");
    String table = "verified-" + direction;

    assertThat(exchangesDigests(new FileTransferSuite(), table, method, parameters))
        .isEqualTo(verify.equals("sha256"));
  }

  @ParameterizedTest
  @CsvSource({
    "Default, true",
    "ZeroCopy, true",
    "HttpClientFile, true",
    "ApacheTuned, true",
    "ZeroCopyBare, false"
  })
  void transfer_ofARowOfTheAnswerSuite_isVerifiedUnlessBare(String method, boolean verified)
      throws Exception {
    Map<String, String> parameters = Map.of("BufferSize", "65536");

    assertThat(exchangesDigests(new AnswerSuite(), "upload", method, parameters))
        .isEqualTo(verified);
  }

  private boolean exchangesDigests(
      Suite suite, String table, String method, Map<String, String> parameters) throws Exception {
    RowKey row = new RowKey(suite.name(), table, method, parameters);
    Workplace workplace = workplace();
    try (RowServer server = suite.openServer(row, workplace);
        LoadDriver client =
            new LoadDriver(suite.openClient(row, workplace, server.port()), suite.load(row));
        Carrier probe =
            suite.promise(row).protocol().equals("h2c")
                ? GrpcCarrier.connect(FileTransports.HOST, server.port(), Method.ZERO_COPY)
                : FileTransports.jdk(server.port())) {
      client.prepare();
      client.run();

      Direction direction = Direction.of(table);
      Sha256 known = probe.stat(name(workplace, direction), false).sha256();
      assertThat(known).isIn(null, workplace.sha256());
      return known != null;
    }
  }

  /** Of the file that the server has sent or received. */
  private static StorePath name(Workplace workplace, Direction direction) throws IOException {
    try (Stream<Path> files = Files.list(workplace.store())) {
      return files
          .filter(file -> file.equals(workplace.source()) == (direction == Direction.DOWNLOAD))
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
