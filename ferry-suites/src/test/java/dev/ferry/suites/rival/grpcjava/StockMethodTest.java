package dev.ferry.suites.rival.grpcjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The methods of grpc-java alone, with each other and with Ferry's server and client. */
final class StockMethodTest {
  private static final String HOST = "127.0.0.1";
  private static final StorePath PATH = new StorePath("file");

  /** What serves, or what moves files. */
  enum End {
    DEFAULT(StockMethod.DEFAULT),
    RENTED_ARRAY(StockMethod.RENTED_ARRAY),
    DEFAULT_TUNED(StockMethod.DEFAULT),
    RENTED_ARRAY_TUNED(StockMethod.RENTED_ARRAY),
    FERRY(null);

    private final @Nullable StockMethod method;

    End(@Nullable StockMethod method) {
      this.method = method;
    }

    private boolean isTuned() {
      return this == DEFAULT_TUNED || this == RENTED_ARRAY_TUNED;
    }

    Served serve(FileStore store) throws IOException {
      if (method == null) {
        var ferry = GrpcFiles.serve(store, HOST, 0, ServerSettings.defaults());
        return new Served(ferry.port(), ferry::close);
      }
      RowServer stock =
          isTuned()
              ? StockServer.tunedFiles(method, store, HOST)
              : StockServer.files(method, StockMethod.gzip(), store, HOST, null);
      return new Served(stock.port(), stock::close);
    }

    TransferClient connect(int port) {
      if (method == null) {
        return TransferClient.of(GrpcFiles.connect(HOST, port));
      }
      return isTuned()
          ? StockFilesClient.connectTuned(method, HOST, port)
          : StockFilesClient.connect(method, HOST, port, null);
    }
  }

  /** A file, and the digest that both ends compare; null for none. */
  private record Sample(int size, Digest.@Nullable Algorithm digest) {}

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(0, Digest.Algorithm.CRC32C),
          new Sample(1, null),
          new Sample(65536, Digest.Algorithm.SHA256),
          new Sample(1_000_000, null),
          new Sample(1_000_001, Digest.Algorithm.CRC32C));

  private record Served(int port, Runnable stop) implements AutoCloseable {
    @Override
    public void close() {
      stop.run();
    }
  }

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @BeforeEach
  void makeStore() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
  }

  /**
   * Each with itself, and each method of grpc-java with Ferry in both directions; by default so
   * many that each end is a client and a server.
   */
  static Stream<Arguments> ends() {
    List<Arguments> ends = new ArrayList<>();
    for (End end : End.values()) {
      if (end != End.FERRY) {
        ends.add(Arguments.of(end, end));
        ends.add(Arguments.of(end, End.FERRY));
        ends.add(Arguments.of(End.FERRY, end));
      }
    }
    ends.add(Arguments.of(End.DEFAULT, End.RENTED_ARRAY));
    ends.add(Arguments.of(End.RENTED_ARRAY, End.DEFAULT));
    return Round.some(ends, pair -> List.of(pair.get()[0], pair.get()[1]));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void transfer_anySizeDigestAndCodec_arrivesWholeAsPromised(End client, End server)
      throws Exception {
    Path source = folder.resolve("source");
    Path target = folder.resolve("target");
    try (Served served = server.serve(LocalFileStore.open(root));
        TransferClient moving = client.connect(served.port())) {
      for (Sample sample : SAMPLES) {
        TestFiles.write(source, TestFiles.compressible(sample.size(), sample.size()));
        Digest.Algorithm digest = sample.digest();
        for (boolean gzip : new boolean[] {false, true}) {
          TransferOptions options =
              TransferOptions.DEFAULT.withChunkSize(65536).withGzip(gzip).withDigest(digest);
          Transfer up = moving.upload(source, PATH, options);
          Transfer down = moving.download(PATH, target, options);

          assertThat(Files.mismatch(root.resolve("file"), source)).isEqualTo(-1);
          assertThat(Files.mismatch(target, source)).isEqualTo(-1);
          for (Transfer transfer : List.of(up, down)) {
            assertThat(transfer.facts().size()).isEqualTo(sample.size());
            assertThat(transfer.protocol()).isEqualTo("h2c");
            if (digest != null) {
              assertThat(transfer.facts().digest(digest)).isEqualTo(digest.ofFile(source));
            }
            if (sample.size() > 1) {
              assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
              assertThat(transfer.wireBytes() < sample.size()).isEqualTo(gzip);
            }
          }
        }
      }
    }
    assertNothingElse();
  }

  private void assertNothingElse() throws Exception {
    TestFiles.awaitTree(root, "file");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files)
          .containsExactlyInAnyOrder(root, folder.resolve("source"), folder.resolve("target"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "RENTED_ARRAY"})
  void transfer_onAConnectionThatIsCut_leavesNothing(End end) throws Exception {
    Path source = TestFiles.write(folder.resolve("source"), TestFiles.random(3_000_000, 1));
    Files.copy(source, root.resolve("file"));
    for (boolean upload : new boolean[] {true, false}) {
      try (Served served = end.serve(LocalFileStore.open(root));
          TcpProxy proxy = new TcpProxy(served.port());
          TransferClient client = end.connect(proxy.port())) {
        proxy.holdAfter(1_000_000);
        Background<Transfer> transfer =
            Background.start(
                () ->
                    upload
                        ? client.upload(source, StorePath.parse("copy"), TransferOptions.DEFAULT)
                        : client.download(PATH, folder.resolve("target"), TransferOptions.DEFAULT));
        proxy.awaitHeld();
        proxy.cut();

        FerryException failure = catchThrowableOfType(FerryException.class, transfer::result);
        assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
        TestFiles.awaitTree(root, "file");
        TestFiles.awaitTree(folder, "root/", "root/file", "source");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "RENTED_ARRAY"})
  void transfer_thatCannotBe_failsWithTheKindAndLeavesNothing(End end) throws Exception {
    Path source = TestFiles.write(folder.resolve("source"), TestFiles.random(3_000_000, 1));
    Files.createDirectory(root.resolve("directory"));
    try (Served served = end.serve(LocalFileStore.open(root));
        TransferClient client = end.connect(served.port())) {
      assertThat(
              kindOf(
                  () -> client.download(PATH, folder.resolve("target"), TransferOptions.DEFAULT)))
          .isEqualTo(ErrorKind.NOT_FOUND);
      assertThat(
              kindOf(
                  () ->
                      client.upload(source, StorePath.parse("directory"), TransferOptions.DEFAULT)))
          .isEqualTo(ErrorKind.ALREADY_EXISTS);
    }
    TestFiles.awaitTree(folder, "root/", "root/directory/", "source");
  }

  /** Ferry's client asks the server of a row what it knows of a file. */
  @ParameterizedTest
  @EnumSource(StockMethod.class)
  void stat_byFerry_tellsSizeAndDigest(StockMethod method) throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.random(1_000, 1));
    try (RowServer server =
            StockServer.files(method, StockMethod.gzip(), LocalFileStore.open(root), HOST, null);
        Carrier ferry = GrpcFiles.connect(HOST, server.port())) {
      assertThat(ferry.stat(PATH, Digest.Algorithm.CRC32C, CallLimits.DEFAULT).crc32c())
          .isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(ferry.stat(PATH, null, CallLimits.DEFAULT).size()).isEqualTo(1_000);
    }
  }

  private interface Failing {
    Transfer run() throws IOException;
  }

  private static ErrorKind kindOf(Failing transfer) {
    return catchThrowableOfType(FerryException.class, transfer::run).kind();
  }
}
