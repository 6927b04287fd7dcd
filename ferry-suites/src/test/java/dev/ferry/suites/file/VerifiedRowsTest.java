package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
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
import java.util.List;
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
    "ZeroCopy, download, none",
    "ZeroCopy, download, crc32c",
    "ZeroCopy, download, sha256",
    "ZeroCopy, upload, none",
    "ZeroCopy, upload, crc32c",
    "ZeroCopy, upload, sha256",
    "HttpClientFile, download, none",
    "HttpClientFile, download, crc32c",
    "HttpClientFile, download, sha256",
    "HttpClientFile, upload, none",
    "HttpClientFile, upload, crc32c",
    "HttpClientFile, upload, sha256",
    "ApacheTuned, download, crc32c",
    "ApacheTuned, download, sha256",
    "ApacheTuned, upload, crc32c",
    "ApacheTuned, upload, sha256"
  })
  void transfer_ofARow_exchangesDigestsIfItVerifies(String method, String direction, String verify)
      throws Exception {
    Map<String, String> parameters =
        Map.of("Verify", verify, "BufferSize", "65536", "UseCompression", "false");
    String table = "verified-" + direction;

    assertThat(exchangedDigest(new FileTransferSuite(), table, method, parameters))
        .isEqualTo(verify)
        .isEqualTo(statedDigest(new FileTransferSuite(), table, method, parameters));
  }

  @ParameterizedTest
  @CsvSource({
    "Default, crc32c",
    "ZeroCopy, crc32c",
    "HttpClientFile, crc32c",
    "ApacheTuned, crc32c",
    "ZeroCopyBare, none"
  })
  void transfer_ofARowOfTheAnswerSuite_isVerifiedUnlessBare(String method, String verify)
      throws Exception {
    Map<String, String> parameters = Map.of("BufferSize", "65536");

    assertThat(exchangedDigest(new AnswerSuite(), "upload", method, parameters))
        .isEqualTo(verify)
        .isEqualTo(statedDigest(new AnswerSuite(), "upload", method, parameters));
  }

  /** The digest that the run document names. */
  private static String statedDigest(
      Suite suite, String table, String method, Map<String, String> parameters) {
    return suite.digest(new RowKey(suite.name(), table, method, parameters));
  }

  /** The digest that the server knows afterwards. */
  private String exchangedDigest(
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
      List<Digest> known = probe.stat(name(workplace, direction), false).digests();
      if (known.isEmpty()) {
        return "none";
      }
      Digest.Algorithm algorithm = known.get(0).algorithm();
      assertThat(known).containsExactly(algorithm.ofFile(workplace.source()));
      return algorithm.id();
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
