package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.TableRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that was asked for a digest, or received one, knows it afterwards. */
final class VerifiedRowsTest {
  @TempDir Path folder;

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
    "FerryHttp, download, crc32c",
    "FerryHttp, download, sha256",
    "FerryHttp, upload, crc32c",
    "FerryHttp, upload, sha256",
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
        .isEqualTo(verify);
    assertThat(statedDigest(new FileTransferSuite(), table, method, parameters))
        .isEqualTo(verify.equals("none") ? "none" : verify + " at both ends");
  }

  @ParameterizedTest
  @ValueSource(strings = {"download", "upload"})
  void transfer_ofABareRow_isNotVerified(String table) throws Exception {
    Map<String, String> parameters = Map.of("BufferSize", "65536");

    assertThat(exchangedDigest(new AnswerSuite(), table, "ZeroCopyBare", parameters))
        .isEqualTo("none")
        .isEqualTo(statedDigest(new AnswerSuite(), table, "ZeroCopyBare", parameters));
  }

  static Stream<RowKey> verifiedRowsOfTheAnswer() {
    // The server of OwnZeroCopy remembers no digest, and OwnMethodTest has what it compares.
    return TableRows.of(
        List.of(new AnswerSuite()),
        row -> !List.of("ZeroCopyBare", "OwnZeroCopy").contains(row.method()));
  }

  /**
   * Before a sample the server does not know the digest, and afterwards it does, so it has computed
   * it. A client that had remembered it would not see that the file is another one.
   */
  @ParameterizedTest
  @MethodSource("verifiedRowsOfTheAnswer")
  void transfer_ofAVerifiedRow_computesTheDigestAtBothEndsInEachSample(RowKey row)
      throws Exception {
    Suite suite = new AnswerSuite();
    assumeTrue(suite.row(row).needs().obstacle().get().isEmpty());
    Direction direction = Direction.of(row.table());
    Workplace workplace = workplace();
    // A server on another machine starts no other rows.
    assertThat(suite.has(row)).isTrue();
    assertThat(suite.row(row).work().digest()).isEqualTo("crc32c at both ends");
    try (RowServer server = suite.row(row).server().start(workplace);
        LoadDriver client =
            new LoadDriver(
                suite.row(row).client().start(workplace, server.port()),
                suite.row(row).work().load());
        Carrier probe = probe(suite, row, server)) {
      for (int sample = 0; sample < 2; sample++) {
        client.prepare();
        if (direction == Direction.DOWNLOAD) {
          assertThat(known(probe, workplace, direction)).isEmpty();
        }
        client.run();
        assertThat(known(probe, workplace, direction))
            .containsExactly(Digest.Algorithm.CRC32C.ofFile(workplace.source()));
        client.check();
      }

      client.prepare();
      rewriteUnnoticed(workplace.source());
      client.run();
      assertThat(known(probe, workplace, direction))
          .containsExactly(Digest.Algorithm.CRC32C.ofFile(workplace.source()));
    }
  }

  /** Gives a file other content, and the size and the time that it had. */
  private static void rewriteUnnoticed(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "a row of words\n".repeat(100_000));
    Files.setLastModifiedTime(file, time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ZeroCopyKnown", "HttpClientFileKnown"})
  void transfer_ofAKnownFile_isNotComputedByTheServer(String method) throws Exception {
    Suite suite = new FileTransferSuite();
    RowKey row =
        new RowKey(
            suite.name(),
            "verified-download",
            method,
            Map.of("Verify", "crc32c", "BufferSize", "65536", "UseCompression", "false"));
    Workplace workplace = workplace();
    assertThat(suite.row(row).work().digest()).isEqualTo("crc32c, known to the server");
    assertThat(
            suite.tables().stream()
                .flatMap(each -> each.groups(suite.name()).stream().flatMap(List::stream))
                .filter(each -> each.method().equals(method)))
        .containsExactly(row);
    try (RowServer server = suite.row(row).server().start(workplace);
        LoadDriver client =
            new LoadDriver(
                suite.row(row).client().start(workplace, server.port()),
                suite.row(row).work().load());
        Carrier probe = probe(suite, row, server)) {
      client.prepare();
      client.run();
      client.prepare();

      assertThat(known(probe, workplace, Direction.DOWNLOAD)).hasSize(1);
    }
  }

  /** The digest that the run document names. */
  private static String statedDigest(
      Suite suite, String table, String method, Map<String, String> parameters) {
    return suite.row(new RowKey(suite.name(), table, method, parameters)).work().digest();
  }

  /** The digest that the server knows afterwards. */
  private String exchangedDigest(
      Suite suite, String table, String method, Map<String, String> parameters) throws Exception {
    RowKey row = new RowKey(suite.name(), table, method, parameters);
    Workplace workplace = workplace();
    try (RowServer server = suite.row(row).server().start(workplace);
        LoadDriver client =
            new LoadDriver(
                suite.row(row).client().start(workplace, server.port()),
                suite.row(row).work().load());
        Carrier probe = probe(suite, row, server)) {
      client.prepare();
      client.run();

      Direction direction = Direction.of(table);
      List<Digest> known = known(probe, workplace, direction);
      if (known.isEmpty()) {
        return "none";
      }
      Digest.Algorithm algorithm = known.get(0).algorithm();
      assertThat(known).containsExactly(algorithm.ofFile(workplace.source()));
      return algorithm.id();
    }
  }

  private static Carrier probe(Suite suite, RowKey row, RowServer server) {
    return suite.row(row).promise().protocol().equals("h2c")
        ? GrpcFiles.connect(FileTransports.HOST, server.port())
        : HttpFiles.connect(FileTransports.HOST, server.port());
  }

  /** What the server knows of the file that it has sent or received. */
  private static List<Digest> known(Carrier probe, Workplace workplace, Direction direction)
      throws IOException {
    return probe.stat(name(workplace, direction), null, CallLimits.DEFAULT).digests();
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
