package dev.ferry.suites.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.grpcjava.UnaryObserver;
import dev.ferry.suites.tls.LoopbackTls;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import dev.ferry.zerocopy.CopyCounters;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.WriteResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OwnMethodTest {
  private static final String HOST = "127.0.0.1";
  private static final int[] SIZES = {0, 1, 65_536, 3_000_000};
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULT.withVerify(false);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @BeforeEach
  void createRoot() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
  }

  @ParameterizedTest
  @EnumSource
  void transfer_anySize_arrivesWhole(OwnMethod method) throws IOException {
    try (RowServer server = method.serve(root, HOST, null);
        TransferClient client = method.connect(HOST, server.port(), null)) {
      for (int size : SIZES) {
        for (int chunkSize : new int[] {4096, 65_536, TransferOptions.MAX_CHUNK}) {
          assertArrives(client, size, OPTIONS.withChunkSize(chunkSize));
        }
      }
    }
  }

  /** As in the answer, with a digest and over TLS if the run is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void transfer_verified_arrivesWhole(boolean tls) throws IOException {
    ServerTls ofServer = tls ? LoopbackTls.server(root).withProvider(TlsProvider.JDK) : null;
    ClientTls ofClient = tls ? LoopbackTls.client(root, TlsProvider.JDK).trust() : null;
    try (RowServer server = OwnMethod.ZERO_COPY.serve(root, HOST, ofServer);
        TransferClient client = OwnMethod.ZERO_COPY.connect(HOST, server.port(), ofClient)) {
      for (int size : SIZES) {
        assertArrives(client, size, TransferOptions.DEFAULT);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void upload_withOrWithoutAnotherChecksum_failsAndLeavesNothing(int blobs) throws Exception {
    try (RowServer server = OwnMethod.ZERO_COPY.serve(root, HOST, null)) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(HOST, server.port()).usePlaintext().build();
      try {
        UnaryObserver<WriteResponse> response = new UnaryObserver<>();
        StreamObserver<Blob> requests = BlobStoreGrpc.newStub(channel).write(response);
        requests.onNext(Blob.newBuilder().setName("file").setCrc32CFollows(true).build());
        requests.onNext(Blob.newBuilder().setData(ByteString.copyFromUtf8("hello")).build());
        for (int i = 0; i < blobs; i++) {
          requests.onNext(Blob.newBuilder().setOffset(5).setCrc32C(1).build());
        }
        requests.onCompleted();

        assertThat(response.response()).failsWithin(1, TimeUnit.MINUTES);
      } finally {
        channel.shutdownNow();
      }
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void transfer_verifiedByAServerThatCannot_fails() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[100]);
    try (RowServer server = OwnMethod.STOCK.serve(root, HOST, null);
        TransferClient client = OwnMethod.ZERO_COPY.connect(HOST, server.port(), null)) {
      Transfer unused = client.upload(source, StorePath.parse("file"), OPTIONS);
      FerryException unverified =
          catchThrowableOfType(
              FerryException.class,
              () ->
                  client.download(
                      StorePath.parse("file"), folder.resolve("new"), TransferOptions.DEFAULT));

      assertThat(unverified.kind()).isEqualTo(ErrorKind.INCOMPLETE);
      assertThat(folder.resolve("new")).doesNotExist();
    }
  }

  private void assertArrives(TransferClient client, int size, TransferOptions options)
      throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    Path source = Files.write(folder.resolve("source"), bytes);
    Path target = folder.resolve("target");

    Transfer up = client.upload(source, StorePath.parse("file"), options);
    Transfer down = client.download(StorePath.parse("file"), target, options);

    assertThat(root.resolve("file")).binaryContent().isEqualTo(bytes);
    assertThat(target).binaryContent().isEqualTo(bytes);
    assertThat(up.facts().size()).isEqualTo(size);
    assertThat(down.facts().size()).isEqualTo(size);
  }

  @Test
  void transfer_zeroCopy_copiesNoChunk() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_000]);
    CopyCounters.Snapshot before = ZeroCopyBlobs.DATA.copies().snapshot();

    try (RowServer server = OwnMethod.ZERO_COPY.serve(root, HOST, null);
        TransferClient client = OwnMethod.ZERO_COPY.connect(HOST, server.port(), null)) {
      Transfer unused = client.upload(source, StorePath.parse("file"), OPTIONS.withChunkSize(4096));
    }

    int chunks = 3_000_000 / 4096 + 1;
    CopyCounters.Snapshot after = ZeroCopyBlobs.DATA.copies().snapshot();
    assertThat(after)
        .isEqualTo(
            new CopyCounters.Snapshot(before.handedOff() + chunks, 0, before.viewed() + chunks, 0));
  }

  @ParameterizedTest
  @EnumSource
  void download_missingFile_failsAndLeavesNothing(OwnMethod method) throws IOException {
    try (RowServer server = method.serve(root, HOST, null);
        TransferClient client = method.connect(HOST, server.port(), null)) {
      Path target = folder.resolve("new");
      FerryException missing =
          catchThrowableOfType(
              FerryException.class, () -> client.download(StorePath.parse("no"), target, OPTIONS));

      assertThat(missing.kind()).isEqualTo(ErrorKind.NOT_FOUND);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(root);
    }
  }

  @ParameterizedTest
  @EnumSource
  void upload_overAFolder_failsAndLeavesNothing(OwnMethod method) throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_000]);
    Files.createDirectory(root.resolve("dir"));
    try (RowServer server = method.serve(root, HOST, null);
        TransferClient client = method.connect(HOST, server.port(), null)) {
      FerryException refused =
          catchThrowableOfType(
              FerryException.class, () -> client.upload(source, StorePath.parse("dir"), OPTIONS));

      assertThat(refused.kind()).isEqualTo(ErrorKind.INTERNAL);
    }
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files).containsExactly(root.resolve("dir"));
    }
  }
}
