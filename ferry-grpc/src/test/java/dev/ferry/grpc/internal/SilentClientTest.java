package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ferry.core.Carrier;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that fall silent in a call, while their connection lives on, and some that idle. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class SilentClientTest {
  private static final long BIG = 64L * 1024 * 1024;
  private static final long HANG_SECONDS = 120;
  private static final Duration STALL = Duration.ofMillis(400);

  /** So long that nothing but a hang keeps a slow client from moving a byte for it. */
  private static final Duration PATIENT = Duration.ofSeconds(2);

  /** Many in the time that is allowed. */
  private static final int PAUSE_MILLIS = 60;

  /** More than a slow client sends before one that stops is refused. */
  private static final int MOST = 10_000;

  @TempDir Path root;
  @TempDir Path local;
  private GrpcFilesServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    server = start(STALL);
    channel = connect(server);
  }

  private GrpcFilesServer start(Duration stall) throws Exception {
    return GrpcFilesServer.start(
        LocalFileStore.open(root),
        "127.0.0.1",
        0,
        ServerSettings.defaults().withStallTimeout(stall).withIdleTimeout(Duration.ofSeconds(60)));
  }

  private static ManagedChannel connect(GrpcFilesServer server) {
    return NettyChannelBuilder.forAddress("127.0.0.1", server.port())
        .usePlaintext()
        .flowControlWindow(64 * 1024)
        .build();
  }

  /** Replaces the server by one that waits longer. */
  private void startPatient() throws Exception {
    stop();
    server = start(PATIENT);
    channel = connect(server);
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }

  private long stalled() {
    return server.refused().of(Refusals.Reason.STALL);
  }

  private static final class Reply<T> implements StreamObserver<T> {
    private final CompletableFuture<T> value = new CompletableFuture<>();

    @Override
    public void onNext(T message) {
      value.complete(message);
    }

    @Override
    public void onError(Throwable failure) {
      value.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}
  }

  private StreamObserver<FilePart> begin(String name, int size, Reply<UploadReply> reply) {
    StreamObserver<FilePart> call = FilesGrpc.newStub(channel).upload(reply);
    call.onNext(
        FilePart.newBuilder().setFacts(FileFacts.newBuilder().setName(name).setSize(size)).build());
    return call;
  }

  private static FilePart chunk(String text) {
    return FilePart.newBuilder().setChunk(ByteString.copyFromUtf8(text)).build();
  }

  @Test
  void upload_clientStops_failsWithHowLongAndHowFarAndLeavesNothing() throws Exception {
    Reply<UploadReply> reply = new Reply<>();
    StreamObserver<FilePart> call = begin("up", 10, reply);
    call.onNext(chunk("hello"));

    assertThatThrownBy(() -> reply.value.get(HANG_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("DEADLINE_EXCEEDED")
        .hasMessageContaining("the client sent no byte for 400 ms, after ");
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
    assertThat(stalled()).isEqualTo(1);
  }

  @Test
  void upload_clientIsSlow_isTaken() throws Exception {
    startPatient();
    StreamObserver<FilePart> unused = begin("stopped", 10, new Reply<>());
    Reply<UploadReply> reply = new Reply<>();
    StreamObserver<FilePart> call = begin("up", MOST, reply);
    int sent = 0;
    for (; stalled() == 0; sent++) {
      Thread.sleep(PAUSE_MILLIS);
      call.onNext(chunk("x"));
    }
    call.onNext(chunk("x".repeat(MOST - sent)));
    call.onCompleted();

    assertThat(reply.value.get(HANG_SECONDS, TimeUnit.SECONDS).getFacts().getSize())
        .isEqualTo(MOST);
    assertThat(stalled()).isEqualTo(1);
  }

  /** Takes messages when it is told to. */
  private static final class Reader implements ClientResponseObserver<DownloadRequest, FilePart> {
    private final CompletableFuture<ClientCallStreamObserver<DownloadRequest>> call =
        new CompletableFuture<>();
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong messages = new AtomicLong();

    @Override
    public void beforeStart(ClientCallStreamObserver<DownloadRequest> stream) {
      stream.disableAutoRequestWithInitial(1);
      call.complete(stream);
    }

    @Override
    public void onNext(FilePart part) {
      bytes.addAndGet(part.getChunk().size());
      messages.incrementAndGet();
    }

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      ended.complete(bytes.get());
    }

    void take(int more) throws Exception {
      call.get().request(more);
    }

    /** Takes what is left and returns the failure at the end. */
    Throwable failure() throws Exception {
      take(Integer.MAX_VALUE);
      return ended.handle((bytes, failure) -> failure).get(HANG_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static Reader download(ManagedChannel channel, String name, int chunk) {
    Reader reader = new Reader();
    DownloadRequest request =
        DownloadRequest.newBuilder().setPath(name).setChunkSize(chunk).build();
    FilesGrpc.newStub(channel).download(request, reader);
    return reader;
  }

  @Test
  void download_clientStops_failsWithHowLongAndHowFarAndLetsGoOfTheFile() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    Reader reader = download(channel, "big", 65_536);

    awaitStall();
    TestFiles.awaitNothingOpen(root);

    Status status = Status.fromThrowable(reader.failure());
    assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(status.getDescription())
        .matches("the client took no byte for 400 ms, after \\d+ bytes");
    assertThat(stalled()).isEqualTo(1);
  }

  @Test
  void download_clientIsSlow_isServed() throws Exception {
    startPatient();
    TestFiles.sparse(root.resolve("big"), BIG);
    ManagedChannel other = connect(server);
    try {
      Reader stopped = download(other, "big", 65_536);
      Reader reader = download(channel, "big", 65_536);
      while (stalled() == 0) {
        Thread.sleep(PAUSE_MILLIS);
        reader.take(1);
      }
      reader.take(Integer.MAX_VALUE);

      assertThat(reader.ended.get(HANG_SECONDS, TimeUnit.SECONDS)).isEqualTo(BIG);
      assertThat(stopped.failure()).isNotNull();
      assertThat(stalled()).isEqualTo(1);
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void download_noTimeout_waitsForTheClient() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    GrpcFilesServer unlimited = start(Duration.ZERO);
    ManagedChannel other = connect(unlimited);
    try {
      Reader reader = download(other, "big", 65_536);
      // The same of a server with a limit ends.
      Reader stopped = download(channel, "big", 65_536);
      awaitStall();
      assertThat(stopped.failure()).isNotNull();
      reader.take(Integer.MAX_VALUE);

      assertThat(reader.ended.get(HANG_SECONDS, TimeUnit.SECONDS)).isEqualTo(BIG);
    } finally {
      other.shutdownNow();
      unlimited.close();
    }
  }

  private void awaitStall() throws Exception {
    while (stalled() == 0) {
      Thread.sleep(5);
    }
  }

  @Test
  void carrier_idlesPastTheLimit_connectsAgain() throws Exception {
    ServerSettings one = ServerSettings.defaults().withIdleTimeout(Duration.ofSeconds(1));
    byte[] bytes = TestFiles.random(100_000, 1);
    Files.write(root.resolve("some"), bytes);
    try (GrpcFilesServer idle =
            GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, one);
        Carrier carrier = GrpcFiles.connect("127.0.0.1", idle.port())) {
      for (int i = 0; i < 2; i++) {
        Path copy = local.resolve("copy" + i);
        carrier.download(StorePath.parse("some"), copy, TransferOptions.DEFAULT);
        assertThat(copy).binaryContent().isEqualTo(bytes);
        while (one.connections().open() > 0) {
          Thread.sleep(5);
        }
      }
    }
  }
}
