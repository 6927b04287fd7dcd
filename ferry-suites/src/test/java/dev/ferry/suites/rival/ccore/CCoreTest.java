package dev.ferry.suites.rival.ccore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.suites.files.v1.DownloadRequest;
import dev.ferry.suites.files.v1.FilesGrpc;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.grpcjava.StockChannel;
import dev.ferry.suites.rival.grpcjava.StockFilesClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The C core's programs with each other and with Ferry's, and how they fail. */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class CCoreTest {
  private static final StorePath NAME = new StorePath("f\u00fcr/a b");
  private static final String HOST = "127.0.0.1";
  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULT.withChunkSize(65536).withVerify(false);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @BeforeEach
  void requirePython() throws IOException {
    assumeTrue(CCore.obstacle().isEmpty(), CCore.HOW_TO_INSTALL);
    root = Files.createDirectory(folder.resolve("a root"));
  }

  /** Up and down again, of files of some sizes, compressed and not. */
  private void assertTransfers(TransferClient client, TransferOptions options) throws IOException {
    for (int size : new int[] {0, 1, 65536, 3_000_001}) {
      byte[] bytes =
          "a line of text\n"
              .repeat(size / 15 + 1)
              .substring(0, size)
              .getBytes(StandardCharsets.US_ASCII);
      Path source = Files.write(folder.resolve("source"), bytes);
      Path target = folder.resolve("target");
      for (boolean gzip : new boolean[] {false, true}) {
        Transfer up = client.upload(source, NAME, options.withGzip(gzip));
        Transfer down = client.download(NAME, target, options.withGzip(gzip));

        assertThat(root.resolve(NAME.value())).binaryContent().isEqualTo(bytes);
        assertThat(target).binaryContent().isEqualTo(bytes);
        Files.delete(root.resolve(NAME.value()));
        Files.delete(target);
        for (Transfer transfer : List.of(up, down)) {
          assertThat(transfer.facts().size()).isEqualTo(size);
          assertThat(transfer.protocol()).isEqualTo("h2c");
          if (size > 1) {
            assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
            assertThat(transfer.wireBytes() < size).isEqualTo(gzip);
          }
        }
      }
    }
    assertNothingTemporaryLeft();
  }

  private void assertNothingTemporaryLeft() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files).noneMatch(f -> f.toString().endsWith(".part"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void transfer_withItself_arrivesWholeAsPromised(CCore.Messages messages) throws Exception {
    try (CCoreProcess server = CCoreProcess.server(messages, root);
        CCoreClient client = CCoreClient.connect(messages, server.port())) {
      assertTransfers(client, OPTIONS);
      assertThat(client.ownNanos().orElseThrow()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void transfer_withAFerryServer_arrivesWholeAsPromised(CCore.Messages messages) throws Exception {
    Files.createDirectory(root.resolve("f\u00fcr"));
    try (ServerPort server =
            GrpcFiles.serve(LocalFileStore.open(root), HOST, 0, ServerSettings.defaults());
        CCoreClient client = CCoreClient.connect(messages, server.port())) {
      assertTransfers(client, OPTIONS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void transfer_withFerryAndGrpcJavaClients_arrivesWhole(CCore.Messages messages) throws Exception {
    try (CCoreProcess server = CCoreProcess.server(messages, root)) {
      try (Carrier client = GrpcFiles.connect(HOST, server.port())) {
        assertTransfers(TransferClient.of(client), OPTIONS.withDigest(Digest.Algorithm.SHA256));
      }
      for (StockMethod method : StockMethod.values()) {
        try (TransferClient client = StockFilesClient.connect(method, HOST, server.port(), null)) {
          assertTransfers(client, OPTIONS);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void transfer_thatCannotBe_failsWithTheKindAndLeavesNothing(CCore.Messages messages)
      throws Exception {
    Path source = Files.write(folder.resolve("source"), new byte[100_000]);
    Path target = folder.resolve("target");
    Files.createDirectory(root.resolve("directory"));
    try (CCoreProcess server = CCoreProcess.server(messages, root);
        CCoreClient client = CCoreClient.connect(messages, server.port())) {
      assertThat(kindOf(() -> client.download(new StorePath("no"), target, OPTIONS)))
          .isEqualTo(ErrorKind.NOT_FOUND);
      assertThat(kindOf(() -> client.upload(source, new StorePath("directory"), OPTIONS)))
          .isEqualTo(ErrorKind.ALREADY_EXISTS);
      assertThat(kindOf(() -> client.upload(source, new StorePath("../out"), OPTIONS)))
          .isEqualTo(ErrorKind.INVALID_PATH);
      assertThat(kindOf(() -> client.upload(target, new StorePath("in"), OPTIONS)))
          .isEqualTo(ErrorKind.INTERNAL);
      // And goes on.
      assertThat(client.upload(source, new StorePath("in"), OPTIONS).facts().size())
          .isEqualTo(100_000);
    }
    assertThat(target).doesNotExist();
    assertThat(folder.resolve("out")).doesNotExist();
    assertNothingTemporaryLeft();
  }

  private interface Failing {
    Transfer run() throws IOException;
  }

  private static ErrorKind kindOf(Failing transfer) {
    return catchThrowableOfType(FerryException.class, transfer::run).kind();
  }

  @ParameterizedTest
  @EnumSource
  void download_ofAPathThatLeavesTheFolder_isRefused(CCore.Messages messages) throws Exception {
    Files.write(folder.resolve("secret"), new byte[1]);
    Files.createSymbolicLink(root.resolve("link"), folder);
    try (CCoreProcess server = CCoreProcess.server(messages, root);
        StockChannel stock = new StockChannel(HOST, server.port())) {
      var files = FilesGrpc.newBlockingStub(stock.channel());
      for (String path : List.of("../secret", "/etc/hosts", "link/secret", "a//b", "", ".")) {
        DownloadRequest request = DownloadRequest.newBuilder().setPath(path).build();
        assertThatThrownBy(() -> files.download(request).next())
            .as(path)
            .isInstanceOfSatisfying(
                StatusRuntimeException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
      }
    }
  }

  @Test
  void timeout_thatHasPassed_isDeadlineExceeded() throws Exception {
    Files.write(root.resolve("file"), new byte[1]);
    try (CCoreProcess server = CCoreProcess.server(CCore.Messages.DEFAULT, root);
        CCoreClient client = CCoreClient.connect(CCore.Messages.DEFAULT, server.port())) {
      TransferOptions late = OPTIONS.withTimeout(Duration.ofNanos(1));
      Path target = folder.resolve("target");
      assertThat(kindOf(() -> client.download(new StorePath("file"), target, late)))
          .isEqualTo(ErrorKind.DEADLINE_EXCEEDED);
      assertThat(kindOf(() -> client.upload(root.resolve("file"), NAME, late)))
          .isEqualTo(ErrorKind.DEADLINE_EXCEEDED);
      assertThat(target).doesNotExist();
    }
  }

  @Test
  void interrupt_ofATransfer_cancelsItAndEndsThePython() throws Exception {
    Path file = Files.write(root.resolve("file"), new byte[1_000_000]);
    try (CCoreProcess server = CCoreProcess.server(CCore.Messages.DEFAULT, root);
        CCoreClient client = CCoreClient.connect(CCore.Messages.DEFAULT, server.port())) {
      Thread.currentThread().interrupt();
      assertThat(kindOf(() -> client.upload(file, NAME, OPTIONS))).isEqualTo(ErrorKind.CANCELLED);
      assertThat(Thread.interrupted()).isTrue();

      FerryException later =
          catchThrowableOfType(FerryException.class, () -> client.upload(file, NAME, OPTIONS));
      assertThat(later.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      assertThat(later).hasMessageContaining("Python ended with exit code");
    }
  }

  @Test
  void close_ofBoth_leavesNoProcess() throws Exception {
    List<ProcessHandle> before = descendants();
    CCoreProcess server = CCoreProcess.server(CCore.Messages.RENTED_ARRAY, root);
    CCoreClient client = CCoreClient.connect(CCore.Messages.RENTED_ARRAY, server.port());
    assertThat(descendants()).hasSize(before.size() + 2);

    server.close();
    FerryException failure =
        catchThrowableOfType(
            FerryException.class, () -> client.download(NAME, folder.resolve("target"), OPTIONS));
    assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    client.close();
    client.close();
    server.close();

    assertThat(descendants()).hasSameSizeAs(before);
  }

  private static List<ProcessHandle> descendants() {
    return new ArrayList<>(ProcessHandle.current().descendants().toList());
  }

  @Test
  void connect_whereNoServerIs_saysWhatPythonSaid() {
    assertThatThrownBy(() -> CCoreClient.connect(CCore.Messages.DEFAULT, 1).close())
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("Python ended with exit code 1: no gRPC server answers on port 1");
  }
}
