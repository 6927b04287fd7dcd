package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.zerocopy.BlobCalls.Reply;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that a service of anyone sends and receives with one call each. */
@Timeout(300)
class ReceivedFileTest {
  private static final int SIZE = 3_000_001;
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir Path folder;
  private Path file;
  private Path target;
  private final PooledByteBufAllocator pool = BlobCalls.newPool();
  private final BytesField<Blob> data =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER, pool);
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final Queue<String> tokens = new ConcurrentLinkedQueue<>();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    byte[] content = new byte[SIZE];
    new Random(1).nextBytes(content);
    file = Files.write(folder.resolve("file"), content);
    target = folder.resolve("target");
    server =
        ZeroCopy.server(BlobCalls.listen(), pool)
            .addService(
                ZeroCopy.service(
                    new BlobStoreGrpc.BlobStoreImplBase() {},
                    data.responses(BlobStoreGrpc.getReadMethod(), this::send),
                    data.responses(BlobStoreGrpc.getGetMethod(), this::sendOne),
                    data.requests(BlobStoreGrpc.getWriteMethod(), this::receive),
                    data.requests(
                        BlobStoreGrpc.getEchoMethod().toBuilder(
                                BlobStoreGrpc.getEchoMethod().getRequestMarshaller(),
                                BlobStoreGrpc.getWriteMethod().getResponseMarshaller())
                            .build(),
                        this::receiveNamed)))
            .intercept(
                new ServerInterceptor() {
                  @Override
                  public <Q, R> ServerCall.Listener<Q> interceptCall(
                      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                    String token = headers.get(TOKEN);
                    if (token != null) {
                      tokens.add(token);
                    }
                    return next.startCall(call, headers);
                  }
                })
            .build()
            .start();
    channel = ZeroCopy.client(BlobCalls.connect(server.getPort()), pool).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    BlobCalls.stop(server, channel);
    BlobCalls.assertReleased(pool);
  }

  private void send(ReadRequest request, StreamObserver<BytesMessage<Blob>> responses) {
    if (request.getName().equals("endless")) {
      responses.onNext(data.message(Blob.getDefaultInstance(), new byte[100_000]));
      return;
    }
    try {
      data.sendFile(folder.resolve(request.getName())).send(responses);
    } catch (IOException e) {
      responses.onError(Status.NOT_FOUND.withCause(e).asRuntimeException());
    }
  }

  private void sendOne(ReadRequest request, StreamObserver<BytesMessage<Blob>> responses) {
    responses.onNext(data.message(Blob.getDefaultInstance(), new byte[10_000]));
    responses.onCompleted();
  }

  private StreamObserver<BytesMessage<Blob>> receive(StreamObserver<WriteResponse> responses) {
    StreamObserver<BytesMessage<Blob>> receiver =
        data.receiveFile(
            target, responses, size -> WriteResponse.newBuilder().setSize(size).build());
    return new StreamObserver<>() {
      @Override
      public void onNext(BytesMessage<Blob> blob) {
        receiver.onNext(blob);
      }

      @Override
      public void onError(Throwable failure) {
        receiver.onError(failure);
        cancelled.countDown();
      }

      @Override
      public void onCompleted() {
        receiver.onCompleted();
      }
    };
  }

  /** Receives a file whose name is in the first message. */
  private StreamObserver<BytesMessage<Blob>> receiveNamed(StreamObserver<WriteResponse> responses) {
    return data.receiveFile(
        this::named,
        responses,
        (path, size) ->
            WriteResponse.newBuilder().setSize(path.equals(target) ? size : -1).build());
  }

  private Path named(Blob first) {
    if (!first.getEtag().equals(target.getFileName().toString())) {
      throw Status.INVALID_ARGUMENT
          .withDescription("no name: " + first.getEtag())
          .asRuntimeException();
    }
    return target;
  }

  private static ReadRequest request(String name) {
    return ReadRequest.newBuilder().setName(name).build();
  }

  private static Status.Code code(Throwable failure) {
    return Status.fromThrowable(failure).getCode();
  }

  @Test
  void download_ofAFile_writesItAndReturnsItsSize() throws Exception {
    Files.writeString(target, "old and longer than nothing");

    assertThat(data.download(channel, BlobStoreGrpc.getReadMethod(), request("file"), target))
        .isEqualTo(SIZE);

    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
    assertThat(data.copies().snapshot().copiedIn()).isZero();
    assertThat(data.copies().snapshot().copiedOut()).isZero();
  }

  @Test
  void download_ofAnEmptyFile_makesAnEmptyFile() throws Exception {
    Files.createFile(folder.resolve("empty"));
    assertThat(data.download(channel, BlobStoreGrpc.getReadMethod(), request("empty"), target))
        .isZero();
    assertThat(target).isEmptyFile();
  }

  @Test
  void download_ofOneMessage_writesIt() throws Exception {
    assertThat(data.download(channel, BlobStoreGrpc.getGetMethod(), request("any"), target))
        .isEqualTo(10_000);
    assertThat(target).hasSize(10_000);
  }

  @Test
  void download_ofNoFile_failsAndLeavesTheOldOneAlone() throws Exception {
    Files.writeString(target, "old");
    assertThatThrownBy(
            () -> data.download(channel, BlobStoreGrpc.getReadMethod(), request("none"), target))
        .isInstanceOf(StatusRuntimeException.class)
        .satisfies(e -> assertThat(code(e)).isEqualTo(Status.Code.NOT_FOUND));
    assertThat(target).hasContent("old");
  }

  @Test
  void download_toNoFolder_namesThePathAndCancelsTheCall() {
    Path nowhere = folder.resolve("none/target");
    assertThatThrownBy(
            () -> data.download(channel, BlobStoreGrpc.getReadMethod(), request("file"), nowhere))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(nowhere.toString());
  }

  @Test
  void download_onAnInterruptedThread_isCancelled() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () ->
                  data.download(channel, BlobStoreGrpc.getReadMethod(), request("endless"), target))
          .satisfies(e -> assertThat(code(e)).isEqualTo(Status.Code.CANCELLED));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void download_thatPassesItsDeadline_leavesTheOldFileAlone() throws Exception {
    Files.writeString(target, "old");
    CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.SECONDS);
    assertThatThrownBy(
            () ->
                data.download(
                    channel, BlobStoreGrpc.getReadMethod(), soon, request("endless"), target))
        .satisfies(e -> assertThat(code(e)).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    assertThat(target).hasContent("old");
    assertThat(hasPart()).isFalse();
  }

  @Test
  void upload_thatPassesItsDeadline_leavesNoFileAndClosesItsOwn() throws Exception {
    Deadline late = Deadline.after(10, TimeUnit.SECONDS);
    AtomicInteger buffers = new AtomicInteger();
    FileChannel source = FileChannel.open(file);
    Reply response = new Reply();
    data.sendFile(source, 0, SIZE)
        .closeFile()
        .onBytes(
            buffer -> {
              // The first has arrived, or will. The others come when the server has given up.
              while (buffers.incrementAndGet() > 1
                  && cancelled.getCount() > 0
                  && !late.isExpired()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
              }
            })
        .upload(
            channel,
            BlobStoreGrpc.getWriteMethod(),
            CallOptions.DEFAULT.withDeadlineAfter(2, TimeUnit.SECONDS),
            response);

    assertThatThrownBy(response::size)
        .satisfies(e -> assertThat(code(e)).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    assertThat(source.isOpen()).isFalse();
    assertThat(target).doesNotExist();
    while (hasPart()) {
      // The server finds out after the client.
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Test
  void calls_withCredentials_sendThem() throws Exception {
    CallOptions token = CallOptions.DEFAULT.withCallCredentials(new Token());

    assertThat(
            data.download(channel, BlobStoreGrpc.getReadMethod(), token, request("file"), target))
        .isEqualTo(SIZE);
    Reply response = new Reply();
    data.sendFile(file).upload(channel, BlobStoreGrpc.getWriteMethod(), token, response);

    assertThat(response.size()).isEqualTo(SIZE);
    assertThat(tokens).containsExactly("mine", "mine");
  }

  private static final class Token extends CallCredentials {
    @Override
    public void applyRequestMetadata(
        RequestInfo request, Executor executor, MetadataApplier applier) {
      Metadata fields = new Metadata();
      fields.put(TOKEN, "mine");
      applier.apply(fields);
    }
  }

  @Test
  void upload_toReceiveFile_movesTheFileWithoutCopies() throws Exception {
    Reply response = new Reply();
    data.sendFile(file).upload(channel, BlobStoreGrpc.getWriteMethod(), response);
    assertThat(response.size()).isEqualTo(SIZE);
    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
    assertThat(data.copies().snapshot().copiedIn()).isZero();
    assertThat(data.copies().snapshot().copiedOut()).isZero();
  }

  private static MethodDescriptor<Blob, WriteResponse> echo() {
    return BlobStoreGrpc.getEchoMethod().toBuilder(
            BlobStoreGrpc.getEchoMethod().getRequestMarshaller(),
            BlobStoreGrpc.getWriteMethod().getResponseMarshaller())
        .build();
  }

  @Test
  void upload_toABidirectionalMethodThatReadsTheName_movesTheFile() throws Exception {
    Reply response = new Reply();
    data.sendFile(file)
        .first(Blob.newBuilder().setEtag("target").build())
        .upload(channel, echo(), response);
    assertThat(response.size()).isEqualTo(SIZE);
    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SIZE})
  void receiveFile_whoseNameIsRefused_failsWithThatStatus(int bytes) throws Exception {
    Reply response = new Reply();
    data.sendFile(FileChannel.open(file), 0, bytes).closeFile().upload(channel, echo(), response);
    assertThatThrownBy(response::size)
        .satisfies(e -> assertThat(code(e)).isEqualTo(Status.Code.INVALID_ARGUMENT))
        .hasMessageContaining("no name: ");
    assertThat(target).doesNotExist();
    assertThat(hasPart()).isFalse();
  }

  @Test
  void receiveFile_thatCannotBeWritten_failsTheCallAndReleasesAll() throws Exception {
    Files.createDirectory(target);
    Reply response = new Reply();
    data.sendFile(file).upload(channel, BlobStoreGrpc.getWriteMethod(), response);
    assertThatThrownBy(response::size)
        .isInstanceOf(ExecutionException.class)
        .satisfies(e -> assertThat(code(e)).isEqualTo(Status.Code.INTERNAL));
    assertThat(target).isDirectory();
  }

  @Test
  void receiveFile_whoseClientCancels_leavesNoFile() throws Exception {
    Files.writeString(target, "the old one");
    Reply response = new Reply();
    StreamObserver<BytesMessage<Blob>> requests =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(data.requests(BlobStoreGrpc.getWriteMethod()), CallOptions.DEFAULT),
            response);
    requests.onNext(data.message(Blob.getDefaultInstance(), new byte[100_000]));
    while (!hasPart()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    ((ClientCallStreamObserver<?>) requests).cancel("enough", null);

    assertThat(cancelled.await(2, TimeUnit.MINUTES)).isTrue();
    assertThat(hasPart()).isFalse();
    assertThat(target).hasContent("the old one");
  }

  @Test
  void receiveFile_overAPrivateFile_keepsItPrivate() throws Exception {
    Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
    Files.writeString(target, "the old one");
    Files.setPosixFilePermissions(target, mode);
    Reply response = new Reply();
    data.sendFile(file).upload(channel, BlobStoreGrpc.getWriteMethod(), response);
    assertThat(response.size()).isEqualTo(SIZE);

    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
    assertThat(Files.getPosixFilePermissions(target)).isEqualTo(mode);
  }

  private boolean hasPart() throws IOException {
    try (Stream<Path> files = Files.list(target.getParent())) {
      return files.anyMatch(path -> path.toString().endsWith(".part"));
    }
  }

  @Test
  void methods_ofAnotherKind_areRefusedByName() throws IOException {
    MethodDescriptor<Blob, WriteResponse> unary =
        BlobStoreGrpc.getWriteMethod().toBuilder().setType(MethodType.UNARY).build();
    assertThatThrownBy(() -> data.requests(unary, this::receive))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("example.BlobStore/Write");
    assertThatThrownBy(() -> data.sendFile(file).upload(channel, unary, new Reply()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("example.BlobStore/Write");
    assertThatThrownBy(
            () ->
                data.responses(
                    BlobStoreGrpc.getReadMethod().toBuilder()
                        .setType(MethodType.BIDI_STREAMING)
                        .build(),
                    this::send))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("example.BlobStore/Read");
  }
}
