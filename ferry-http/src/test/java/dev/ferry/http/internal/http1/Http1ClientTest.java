package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FaultyChannel;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.RefusingPort;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client and the server of this module together. */
final class Http1ClientTest {
  @TempDir Path temporary;
  private Path root;
  private Path local;
  private HttpFilesServer server;
  private Carrier carrier;

  @BeforeEach
  void start() throws IOException {
    root = Files.createDirectory(temporary.resolve("root"));
    local = Files.createDirectory(temporary.resolve("local"));
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 64 * 1024, ServerSettings.defaults());
    carrier = HttpFiles.connect("localhost", server.port());
  }

  @AfterEach
  void stop() {
    carrier.close();
    server.close();
  }

  static ErrorKind kindOf(ThrowingCallable call) {
    FerryException e = catchThrowableOfType(FerryException.class, call);
    assertThat(e).isNotNull();
    assertThat(e.getMessage()).doesNotContain("\n");
    return e.kind();
  }

  private static StorePath path(String text) throws FerryException {
    return StorePath.parse(text);
  }

  @Test
  void transfer_compressionThatHttpDoesNotHave_isRefused() throws IOException {
    Path source = Files.write(local.resolve("source"), new byte[10]);
    for (Compression compression :
        List.of(
            new Compression(Compression.Format.ZSTD, 1),
            new Compression(Compression.Format.GZIP, 6))) {
      TransferOptions options = TransferOptions.DEFAULT.withCompression(compression);

      assertThat(kindOf(() -> carrier.upload(source, path("x"), options)))
          .isEqualTo(ErrorKind.INVALID_REQUEST);
      assertThat(kindOf(() -> carrier.download(path("x"), local.resolve("y"), options)))
          .isEqualTo(ErrorKind.INVALID_REQUEST);
    }
    assertThat(root).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096",
    "1, 4096",
    "4095, 4096",
    "4096, 4096",
    "4097, 4096",
    "65536, 65536",
    "100000, 1000",
    "1000000, 81920",
    "2200000, 1048512",
    "100, 1"
  })
  void transfer_anySize_arrivesWhole(int size, int chunk) throws IOException {
    for (boolean gzip : new boolean[] {false, true}) {
      byte[] bytes = TestFiles.compressible(size);
      Path source = Files.write(local.resolve("source"), bytes);
      Path target = local.resolve("target");
      TransferOptions options =
          TransferOptions.DEFAULT.withMakeParents(true).withChunkSize(chunk).withGzip(gzip);
      StorePath path = path("a folder/ü%2B+ " + gzip + ".csv");

      Transfer up = carrier.upload(source, path, options);
      Transfer down = carrier.download(path, target, options);

      assertThat(Files.readAllBytes(root.resolve(path.value()))).isEqualTo(bytes);
      assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
      assertThat(up.facts()).isEqualTo(carrier.stat(path, null, CallLimits.DEFAULT));
      Digest digest = Digest.Algorithm.CRC32C.ofFile(source);
      assertThat(up.facts().digests()).containsExactly(digest);
      assertThat(down.facts().digests()).containsExactly(digest);
      for (Transfer transfer : List.of(up, down)) {
        assertThat(transfer.protocol()).isEqualTo(HttpProtocol.HTTP_1_1.wireName());
        assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
        assertThat(transfer.facts().size()).isEqualTo(size);
        if (!gzip) {
          assertThat(transfer.wireBytes()).isEqualTo(size);
        } else if (size > 1000) {
          assertThat(transfer.wireBytes()).isBetween(1L, size / 2L);
        }
      }
    }
    assertThat(TestFiles.names(local)).containsExactly("source", "target");
  }

  @Test
  void transfer_gzipOfAFileThatWouldNotBecomeSmaller_isSentAsItIs() throws IOException {
    byte[] bytes = TestFiles.incompressible(500_000);
    Path source = Files.write(local.resolve("source"), bytes);
    TransferOptions options = TransferOptions.DEFAULT.withGzip(true);

    Transfer up = carrier.upload(source, path("f"), options);
    Transfer down = carrier.download(path("f"), local.resolve("target"), options);

    assertThat(Files.readAllBytes(local.resolve("target"))).isEqualTo(bytes);
    assertThat(List.of(up, down)).allMatch(t -> t.encoding().equals("identity"));
    assertThat(down.facts().digest(Digest.Algorithm.CRC32C))
        .isEqualTo(Digest.Algorithm.CRC32C.ofFile(source));
  }

  @Test
  void download_unknownDigest_isRequestedAndChecked() throws IOException {
    Files.write(root.resolve("f"), TestFiles.random(100_000));

    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      TransferOptions options = TransferOptions.DEFAULT.withGzip(true).withDigest(algorithm);
      Transfer gzip = carrier.download(path("f"), local.resolve("g"), options);
      Transfer plain = carrier.download(path("f"), local.resolve("p"), options.withVerify(false));

      assertThat(gzip.facts().digests()).containsExactly(algorithm.ofFile(root.resolve("f")));
      assertThat(plain.facts().digests()).isEmpty();
    }
  }

  @Test
  void transfer_progress_runsFromNothingToTotal() throws IOException {
    Path source = Files.write(local.resolve("s"), TestFiles.random(200_000));
    for (boolean gzip : new boolean[] {false, true}) {
      List<Long> seen = new ArrayList<>();
      TransferOptions options =
          TransferOptions.DEFAULT
              .withChunkSize(50_000)
              .withGzip(gzip)
              .withProgress(
                  (done, total) -> {
                    assertThat(total).isEqualTo(200_000);
                    seen.add(done);
                  });
      carrier.upload(source, path("p"), options);
      assertThat(seen).isSorted().startsWith(0L).endsWith(200_000L);
      seen.clear();
      carrier.download(path("p"), local.resolve("t"), options);
      assertThat(seen).isSorted().startsWith(0L).endsWith(200_000L);
    }
  }

  @Test
  void upload_createOnly_refusesExisting() throws IOException {
    Path source = Files.write(local.resolve("s"), TestFiles.random(2_000_000));
    TransferOptions options = TransferOptions.DEFAULT.withCreateOnly(true);
    carrier.upload(source, path("x"), options);
    byte[] before = Files.readAllBytes(root.resolve("x"));
    Files.write(source, TestFiles.random(1_999_999));

    assertThat(kindOf(() -> carrier.upload(source, path("x"), options)))
        .isEqualTo(ErrorKind.ALREADY_EXISTS);

    assertThat(Files.readAllBytes(root.resolve("x"))).isEqualTo(before);
    assertThat(TestFiles.names(root)).containsExactly("x");
  }

  @Test
  void download_missingOrDirectory_leavesNothing() throws IOException {
    Files.createDirectory(root.resolve("d"));

    assertThat(
            kindOf(
                () ->
                    carrier.download(path("no"), local.resolve("new/t"), TransferOptions.DEFAULT)))
        .isEqualTo(ErrorKind.NOT_FOUND);
    assertThat(
            kindOf(() -> carrier.download(path("d"), local.resolve("t"), TransferOptions.DEFAULT)))
        .isEqualTo(ErrorKind.INVALID_PATH);

    assertThat(TestFiles.names(local)).isEmpty();
  }

  @Test
  void statAndList_filesAndDirectories_asTheStoreSays() throws IOException {
    LocalFileStore store = LocalFileStore.open(root);
    Files.createDirectories(root.resolve("d/e"));
    Files.write(root.resolve("d/f"), TestFiles.random(10));

    assertThat(carrier.stat(path("d/f"), Digest.Algorithm.SHA256, CallLimits.DEFAULT))
        .isEqualTo(store.stat(path("d/f"), true));
    assertThat(carrier.stat(path("d"), Digest.Algorithm.SHA256, CallLimits.DEFAULT))
        .isEqualTo(store.stat(path("d"), true));
    assertThat(carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT))
        .isEqualTo(store.stat(StorePath.ROOT, false));
    assertThat(carrier.list(StorePath.ROOT)).containsExactly(store.stat(path("d"), false));
    assertThat(carrier.list(path("d"))).extracting(FileFacts::name).containsExactly("d/e", "d/f");
    assertThat(kindOf(() -> carrier.stat(path("no"), null, CallLimits.DEFAULT)))
        .isEqualTo(ErrorKind.NOT_FOUND);
    assertThat(kindOf(() -> carrier.list(path("no")))).isEqualTo(ErrorKind.NOT_FOUND);
    assertThat(kindOf(() -> carrier.list(path("d/f")))).isEqualTo(ErrorKind.NOT_FOUND);
  }

  @Test
  void stat_linkOutOfTheStore_invalidPath() throws IOException {
    Files.createSymbolicLink(root.resolve("out"), local);

    assertThat(kindOf(() -> carrier.stat(path("out"), null, CallLimits.DEFAULT)))
        .isEqualTo(ErrorKind.INVALID_PATH);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void upload_fileChangesMeanwhile_failsAndLeavesNothing(boolean gzip) throws IOException {
    Path source = Files.write(local.resolve("s"), TestFiles.random(3_000_000));
    TransferOptions options =
        TransferOptions.DEFAULT
            .withVerify(false)
            .withGzip(gzip)
            .withProgress((done, total) -> appendOnce(source, done));

    assertThat(kindOf(() -> carrier.upload(source, path("x"), options)))
        .isEqualTo(ErrorKind.FILE_CHANGED);

    server.close();
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void download_fileChangesMeanwhile_failsAndLeavesNothing(boolean gzip) throws IOException {
    // Larger than the buffers of the sockets and the client, so that the server is still sending.
    Path source = Files.write(root.resolve("s"), TestFiles.random(24_000_000));
    TransferOptions options =
        TransferOptions.DEFAULT
            .withVerify(false)
            .withGzip(gzip)
            .withProgress((done, total) -> appendOnce(source, done));

    assertThat(kindOf(() -> carrier.download(path("s"), local.resolve("t"), options)))
        .isEqualTo(ErrorKind.INCOMPLETE);

    assertThat(TestFiles.names(local)).isEmpty();
  }

  private static void appendOnce(Path file, long done) {
    try {
      if (done > 0 && Files.size(file) % 10 == 0) {
        Files.write(file, new byte[1], StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void upload_diskFull_outOfSpaceAndNothingLeft(boolean gzip) throws IOException {
    SinkOptions full = FaultyChannel.options(FaultyChannel.fullAfter(1_000_000));
    try (HttpFilesServer small =
            HttpFilesServer.start(
                LocalFileStore.open(root, full), "localhost", 0, 4096, ServerSettings.defaults());
        Carrier client = HttpFiles.connect("localhost", small.port())) {
      Path source = Files.write(local.resolve("s"), TestFiles.random(24_000_000));

      assertThat(
              kindOf(
                  () ->
                      client.upload(
                          source,
                          path("d/x"),
                          TransferOptions.DEFAULT
                              .withMakeParents(true)
                              .withGzip(gzip)
                              .withVerify(false))))
          .isEqualTo(ErrorKind.OUT_OF_SPACE);

      assertThat(TestFiles.names(root)).isEmpty();
    }
  }

  @Test
  void upload_overTheLimit_tooLarge() throws IOException {
    LocalFileStore store =
        LocalFileStore.open(
            root, SinkOptions.DEFAULT.withLimits(ReceiveLimits.OWN.withMaxFileSize(1_000_000)));
    try (HttpFilesServer small =
            HttpFilesServer.start(store, "localhost", 0, 4096, ServerSettings.defaults());
        Carrier client = HttpFiles.connect("localhost", small.port())) {
      Path source = Files.write(local.resolve("s"), TestFiles.compressible(1_000_001));
      for (boolean gzip : new boolean[] {false, true}) {
        assertThat(
                kindOf(
                    () -> client.upload(source, path("x"), TransferOptions.DEFAULT.withGzip(gzip))))
            .isEqualTo(ErrorKind.TOO_LARGE);
      }
      assertThat(TestFiles.names(root)).isEmpty();
    }
  }

  @Test
  void upload_gzipOfZeros_isTakenSinceItsSizeIsAnnounced() throws IOException {
    Path source = Files.write(local.resolve("s"), new byte[12_000_000]);
    Transfer transfer =
        carrier.upload(source, path("x"), TransferOptions.DEFAULT.withGzip(true).withVerify(false));
    assertThat(transfer.wireBytes()).isLessThan(source.toFile().length() / 200);
    assertThat(root.resolve("x")).hasSize(12_000_000);
  }

  @Test
  void call_nobodyListens_unavailableNamesTheServer() throws IOException {
    try (RefusingPort refusing = new RefusingPort();
        Carrier nobody = HttpFiles.connect("localhost", refusing.address().getPort())) {
      FerryException e =
          catchThrowableOfType(
              FerryException.class, () -> nobody.stat(path("x"), null, CallLimits.DEFAULT));
      assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      assertThat(e).hasMessageContaining("localhost:" + refusing.address().getPort());
    }
  }

  @Test
  void call_closedCarrier_unavailable() throws IOException {
    carrier.close();

    assertThat(kindOf(() -> carrier.stat(path("x"), null, CallLimits.DEFAULT)))
        .isEqualTo(ErrorKind.UNAVAILABLE);
  }

  @Test
  void start_portInUse_saysSoAndHowToGoOn() throws IOException {
    LocalFileStore store = LocalFileStore.open(root);
    FerryException e =
        catchThrowableOfType(
            FerryException.class,
            () ->
                HttpFilesServer.start(
                    store, "localhost", server.port(), 4096, ServerSettings.defaults()));
    assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    assertThat(e).hasMessageContaining(":" + server.port() + ": another program listens there");
  }
}
