package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.UploadOptions;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How much a peer with generated code can have stored, at either end. */
@Timeout(300)
class ReceiveLimitsTest {
  private static final int CHUNKS = 20;
  private static final FilePart ZEROS =
      FilePart.newBuilder().setChunk(ByteString.copyFrom(new byte[1_000_000])).build();

  @TempDir Path root;
  @TempDir Path local;

  private GrpcFilesServer start(ReceiveLimits limits) throws FerryException {
    LocalFileStore store = LocalFileStore.open(root, SinkOptions.DEFAULT.withLimits(limits));
    return GrpcFilesServer.start(store, "127.0.0.1", 0, ServerSettings.defaults());
  }

  /** An upload by hand. */
  private static final class Upload implements AutoCloseable {
    private final ManagedChannel channel;
    private final CompletableFuture<UploadReply> reply = new CompletableFuture<>();
    private final StreamObserver<FilePart> parts;

    Upload(GrpcFilesServer server, String name, long size) {
      channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      parts =
          FilesGrpc.newStub(channel)
              .withCompression("gzip")
              .upload(
                  new StreamObserver<>() {
                    @Override
                    public void onNext(UploadReply message) {
                      reply.complete(message);
                    }

                    @Override
                    public void onError(Throwable failure) {
                      reply.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                  });
      parts.onNext(facts(name, size));
    }

    Upload send(int chunks) {
      for (int i = 0; i < chunks; i++) {
        parts.onNext(ZEROS);
      }
      return this;
    }

    UploadReply end() throws Exception {
      parts.onCompleted();
      return reply.get(120, TimeUnit.SECONDS);
    }

    void assertRefused(ErrorKind kind, String why) {
      assertThatThrownBy(() -> reply.get(120, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .satisfies(
              e -> {
                FerryException failure =
                    GrpcErrors.fromStatus(e.getCause() == null ? e : e.getCause(), "upload");
                assertThat(failure).hasMessageContaining(why);
                assertThat(failure.kind()).isEqualTo(kind);
              });
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  /**
   * @param size negative to announce none
   */
  private static FilePart facts(String name, long size) {
    FileFacts.Builder facts = FileFacts.newBuilder().setName(name);
    return FilePart.newBuilder()
        .setFacts(size < 0 ? facts : facts.setSize(size))
        .setOptions(UploadOptions.newBuilder().setMakeParents(true))
        .build();
  }

  @Test
  void upload_bomb_isRefusedUnlessItsSizeIsAnnounced() throws Exception {
    try (GrpcFilesServer server = start(ReceiveLimits.STORE)) {
      try (Upload upload = new Upload(server, "d/f", -1)) {
        upload
            .send(CHUNKS)
            .assertRefused(
                ErrorKind.TOO_LARGE, "decompresses to more than 200 times what was sent");
      }
      TestFiles.awaitTree(root);
      try (Upload upload = new Upload(server, "f", CHUNKS * 1_000_000L)) {
        assertThat(upload.send(CHUNKS).end().getFacts().getSize()).isEqualTo(CHUNKS * 1_000_000L);
      }
    }
    assertThat(root.resolve("f")).hasSize(CHUNKS * 1_000_000L);
  }

  @Test
  void upload_moreThanAnnounced_isRefused() throws Exception {
    try (GrpcFilesServer server = start(ReceiveLimits.STORE);
        Upload upload = new Upload(server, "d/f", 5)) {
      upload
          .send(CHUNKS)
          .assertRefused(ErrorKind.INCOMPLETE, "more than the 5 announced bytes came");
      TestFiles.awaitTree(root);
    }
  }

  @Test
  void upload_announcedSizeOverALimit_isRefusedBeforeTheFirstChunk() throws Exception {
    ReceiveLimits own = ReceiveLimits.OWN;
    try (GrpcFilesServer server = start(own.withMaxFileSize(99));
        Upload upload = new Upload(server, "d/f", 100)) {
      upload.assertRefused(ErrorKind.TOO_LARGE, "d/f: over the limit of 99 bytes");
    }
    try (GrpcFilesServer server = start(own.withKeepFree(1L << 60));
        Upload upload = new Upload(server, "d/f", 100)) {
      upload.assertRefused(ErrorKind.OUT_OF_SPACE, "d/f: no space left on the disk");
    }
    try (GrpcFilesServer server = start(own.withMaxReceiving(99));
        Upload upload = new Upload(server, "d/f", 100)) {
      upload.assertRefused(ErrorKind.TOO_LARGE, "over the limit of 99 bytes that are received");
    }
    TestFiles.awaitTree(root);
  }

  @Test
  void download_bomb_isGivenUpAndNothingIsLeft() throws Exception {
    AtomicReference<FilePart> first = new AtomicReference<>(facts("f", -1));
    Server hostile =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(
                new FilesGrpc.FilesImplBase() {
                  @Override
                  public void download(DownloadRequest request, StreamObserver<FilePart> call) {
                    ((ServerCallStreamObserver<FilePart>) call).setCompression("gzip");
                    call.onNext(first.get());
                    for (int i = 0; i < CHUNKS; i++) {
                      call.onNext(ZEROS);
                    }
                    call.onCompleted();
                  }
                })
            .build()
            .start();
    try (Carrier carrier = GrpcFiles.connect("127.0.0.1", hostile.getPort())) {
      TransferOptions options = TransferOptions.DEFAULT.withGzip(true).withVerify(false);
      Path target = local.resolve("target");
      FerryException silent =
          catchThrowableOfType(
              FerryException.class, () -> carrier.download(StorePath.parse("f"), target, options));
      assertThat(silent).hasMessageContaining("decompresses to more than 200 times what was sent");
      assertThat(silent.kind()).isEqualTo(ErrorKind.TOO_LARGE);
      TestFiles.awaitTree(local);
      first.set(facts("f", CHUNKS * 1_000_000L));
      carrier.download(StorePath.parse("f"), target, options);
      assertThat(Files.size(target)).isEqualTo(CHUNKS * 1_000_000L);
    } finally {
      hostile.shutdownNow();
    }
  }

  @Test
  void upload_ofFerrysOwn_isTakenWhateverItsRatio() throws Exception {
    Path source = Files.write(local.resolve("zeros"), new byte[CHUNKS * 1_000_000]);
    try (GrpcFilesServer server = start(ReceiveLimits.STORE);
        Carrier carrier = GrpcFiles.connect("127.0.0.1", server.port())) {
      carrier.upload(source, StorePath.parse("f"), TransferOptions.DEFAULT.withGzip(true));
    }
    assertThat(root.resolve("f")).hasSize(CHUNKS * 1_000_000L);
  }
}
