package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ferry.zerocopy.CopyCounters.Snapshot;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service of anyone, converted at one end, at both and at none. */
class OwnServiceTest {
  private static final int SIZE = 3_000_001;

  @TempDir Path folder;
  private final byte[] content = new byte[SIZE];
  private BlobServer blobs = new BlobServer(Path.of(""));
  private final PooledByteBufAllocator pool =
      new PooledByteBufAllocator(true, 0, 1, 8192, 8, 0, 0, true);
  private final BytesField<Blob> data =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER, pool);
  private final MethodDescriptor<ReadRequest, BytesMessage<Blob>> read =
      data.responses(BlobStoreGrpc.getReadMethod());
  private final MethodDescriptor<BytesMessage<Blob>, WriteResponse> write =
      data.requests(BlobStoreGrpc.getWriteMethod());

  @BeforeEach
  void makeFile() throws IOException {
    new Random(1).nextBytes(content);
    Files.write(folder.resolve("file"), content);
    blobs = new BlobServer(folder);
  }

  /** All that was received was released. */
  @AfterEach
  void countBuffers() throws InterruptedException {
    // A closed connection releases its last buffer after its call has ended.
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (active(pool) + active(blobs.pool) > 0 && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(active(pool)).isZero();
    assertThat(active(blobs.pool)).isZero();
  }

  private static long active(PooledByteBufAllocator pool) {
    return pool.metric().directArenas().get(0).numActiveAllocations();
  }

  private interface Use {
    void on(ManagedChannel channel) throws Exception;
  }

  private void between(boolean convertedServer, boolean tunedClient, Use use) throws Exception {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0));
    Server server =
        convertedServer
            ? ZeroCopy.server(builder, blobs.pool)
                .directExecutor()
                .addService(blobs.converted())
                .build()
            : builder.addService(blobs).build();
    server.start();
    NettyChannelBuilder address =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext();
    ManagedChannel channel =
        (tunedClient ? ZeroCopy.client(address, pool) : address).directExecutor().build();
    try {
      use.on(channel);
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
      assertThat(channel.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      assertThat(server.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static ReadRequest request(int chunkSize) {
    return ReadRequest.newBuilder().setName("file").setChunkSize(chunkSize).build();
  }

  private byte[] stockRead(ManagedChannel channel, int chunkSize) {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    String etag = "";
    Iterator<Blob> parts = BlobStoreGrpc.newBlockingStub(channel).read(request(chunkSize));
    while (parts.hasNext()) {
      Blob part = parts.next();
      if (part.getEtag().isEmpty()) {
        assertThat(part.getOffset()).isEqualTo(received.size());
      }
      etag = part.getEtag();
      received.writeBytes(part.getData().toByteArray());
    }
    assertThat(etag).isEqualTo("the end");
    return received.toByteArray();
  }

  private byte[] zeroCopyRead(ManagedChannel channel, int chunkSize, CallOptions options)
      throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    String etag = "";
    Iterator<BytesMessage<Blob>> parts =
        ClientCalls.blockingServerStreamingCall(channel, read, options, request(chunkSize));
    while (parts.hasNext()) {
      try (BytesMessage<Blob> part = parts.next()) {
        if (part.hasBytes()) {
          assertThat(part.rest().getOffset()).isEqualTo(received.size());
        }
        etag = part.rest().getEtag();
        for (ByteBuffer view : part.buffers()) {
          Channels.newChannel(received).write(view.duplicate());
        }
      }
    }
    assertThat(etag).isEqualTo("the end");
    return received.toByteArray();
  }

  private long stockWrite(ManagedChannel channel, int chunkSize) throws Exception {
    Response response = new Response();
    StreamObserver<Blob> requests = BlobStoreGrpc.newStub(channel).write(response);
    for (int at = 0; at < SIZE; at += chunkSize) {
      int n = Math.min(chunkSize, SIZE - at);
      requests.onNext(Blob.newBuilder().setData(ByteString.copyFrom(content, at, n)).build());
    }
    requests.onCompleted();
    return response.get();
  }

  private long zeroCopyWrite(ManagedChannel channel, int chunkSize, CallOptions options)
      throws Exception {
    Response response = new Response();
    FileChannel file = FileChannel.open(folder.resolve("file"));
    StreamObserver<BytesMessage<Blob>> ignored =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(write, options),
            data.sendFile(file, 0, SIZE).closeFile().chunkSize(chunkSize).upload(response));
    long size = response.get();
    assertThat(file.isOpen()).isFalse();
    return size;
  }

  private static final class Response implements StreamObserver<WriteResponse> {
    private final CompletableFuture<WriteResponse> future = new CompletableFuture<>();

    @Override
    public void onNext(WriteResponse response) {
      future.complete(response);
    }

    @Override
    public void onError(Throwable failure) {
      future.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}

    long get() throws Exception {
      return future.get(1, TimeUnit.MINUTES).getSize();
    }
  }

  private static int messages(int chunkSize) {
    return (SIZE + chunkSize - 1) / chunkSize;
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 65536, FileSender.MAX_CHUNK})
  void bothEnds_copyNothing(int chunkSize) throws Exception {
    between(
        true,
        true,
        channel -> {
          assertThat(zeroCopyRead(channel, chunkSize, CallOptions.DEFAULT)).isEqualTo(content);
          assertThat(blobs.data.copies().snapshot())
              .isEqualTo(new Snapshot(messages(chunkSize), 0, 0, 0));
          assertThat(data.copies().snapshot().viewed() + data.copies().snapshot().copiedIn())
              .isEqualTo(messages(chunkSize));

          assertThat(zeroCopyWrite(channel, chunkSize, CallOptions.DEFAULT)).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).hasBinaryContent(content);
          assertThat(data.copies().snapshot().handedOff()).isEqualTo(messages(chunkSize));
          assertThat(data.copies().snapshot().copiedOut()).isZero();
        });
    if (chunkSize <= 65536) {
      assertThat(data.copies().snapshot().copiedIn()).isZero();
      assertThat(blobs.data.copies().snapshot().copiedIn()).isZero();
    }
  }

  @Test
  void tlsAndEventLoopsOfItsOwn_copyNothing() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=test")
            .addSanIpAddress("127.0.0.1")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    try (EventLoops accepting = new EventLoops("test-accept", 1);
        EventLoops servers = new EventLoops("test-server", 1);
        EventLoops clients = new EventLoops("test-client", 1)) {
      Server server =
          ZeroCopy.server(
                  NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)),
                  blobs.pool,
                  accepting,
                  servers,
                  accepting.serverChannels())
              .sslContext(
                  ZeroCopy.tls(
                      GrpcSslContexts.configure(
                              SslContextBuilder.forServer(certificate.toKeyManagerFactory()))
                          .build()))
              .addService(blobs.converted())
              .build()
              .start();
      ManagedChannel channel =
          ZeroCopy.client(
                  NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()), pool, clients)
              .sslContext(
                  ZeroCopy.tls(
                      GrpcSslContexts.forClient()
                          .trustManager(certificate.getCertificate())
                          .build()))
              .build();
      try {
        assertThat(zeroCopyRead(channel, 65536, CallOptions.DEFAULT)).isEqualTo(content);
        assertThat(zeroCopyWrite(channel, 65536, CallOptions.DEFAULT)).isEqualTo(SIZE);
        assertThat(folder.resolve("written")).hasBinaryContent(content);
        assertThat(blobs.data.copies().snapshot().handedOff()).isEqualTo(messages(65536));
        assertThat(data.copies().snapshot().handedOff()).isEqualTo(messages(65536));
        assertThat(data.copies().snapshot().copiedOut()).isZero();
        assertThat(blobs.data.copies().snapshot().copiedOut()).isZero();
      } finally {
        channel.shutdownNow();
        server.shutdownNow();
        assertThat(channel.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(server.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      }
    }
  }

  @Test
  void eitherEndStock_isRight() throws Exception {
    between(
        true,
        false,
        channel -> {
          assertThat(stockRead(channel, 10_000)).isEqualTo(content);
          assertThat(stockWrite(channel, 10_000)).isEqualTo(SIZE);
        });
    between(
        false,
        true,
        channel -> {
          assertThat(zeroCopyRead(channel, 10_000, CallOptions.DEFAULT)).isEqualTo(content);
          assertThat(zeroCopyWrite(channel, 10_000, CallOptions.DEFAULT)).isEqualTo(SIZE);
        });
    assertThat(folder.resolve("written")).hasBinaryContent(content);
  }

  /** The output of a codec asks for a buffer as a small message does. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 4000, 4080, 4091, 65536})
  void compressed_isCopiedAndRight(int chunkSize) throws Exception {
    between(
        true,
        true,
        channel -> {
          CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
          assertThat(zeroCopyWrite(channel, chunkSize, gzip)).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).hasBinaryContent(content);
          assertThat(data.copies().snapshot().handedOff()).isZero();
          assertThat(data.copies().snapshot().copiedOut()).isEqualTo(messages(chunkSize));
          assertThat(blobs.data.copies().snapshot().copiedIn()).isEqualTo(messages(chunkSize));
        });
  }

  @Test
  void clientThatIsNotSetUp_isCopiedAndRight() throws Exception {
    between(
        true,
        false,
        channel -> {
          assertThat(zeroCopyWrite(channel, 4096, CallOptions.DEFAULT)).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).hasBinaryContent(content);
          assertThat(data.copies().snapshot()).isEqualTo(new Snapshot(0, messages(4096), 0, 0));
        });
  }

  @Test
  void inProcess_isCopiedAndRight() throws Exception {
    Server server =
        InProcessServerBuilder.forName("blobs")
            .directExecutor()
            .addService(blobs.converted())
            .build()
            .start();
    ManagedChannel channel = InProcessChannelBuilder.forName("blobs").directExecutor().build();
    try {
      assertThat(zeroCopyRead(channel, 4096, CallOptions.DEFAULT)).isEqualTo(content);
      assertThat(zeroCopyWrite(channel, 4096, CallOptions.DEFAULT)).isEqualTo(SIZE);
      assertThat(folder.resolve("written")).hasBinaryContent(content);
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
      assertThat(channel.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      assertThat(server.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void messages_ofEverySource_arrive() throws Exception {
    ByteBuffer direct = ByteBuffer.allocateDirect(SIZE).put(content).flip();
    AtomicInteger sent = new AtomicInteger();
    between(
        true,
        true,
        channel -> {
          Response response = new Response();
          StreamObserver<BytesMessage<Blob>> requests =
              ClientCalls.asyncClientStreamingCall(
                  channel.newCall(write, CallOptions.DEFAULT), response);
          Blob rest = Blob.newBuilder().setEtag("tag").build();
          ByteBuf pooled = pool.directBuffer().writeBytes(content, 0, 100_000);
          requests.onNext(data.message(rest, pooled));
          requests.onNext(
              data.message(
                  rest,
                  sent::incrementAndGet,
                  direct.slice(100_000, 50_000),
                  direct.slice(150_000, 50_000)));
          try (FileChannel file = FileChannel.open(folder.resolve("file"))) {
            requests.onNext(data.message(rest, file, 200_000, 100_000));
          }
          requests.onNext(
              data.message(rest, java.util.Arrays.copyOfRange(content, 300_000, 400_000)));
          requests.onNext(
              data.message(rest, Unpooled.wrappedBuffer(content, 400_000, SIZE - 400_000)));
          requests.onNext(data.message(Blob.newBuilder().setEtag("end").build()));
          requests.onCompleted();
          assertThat(response.get()).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).hasBinaryContent(content);
          assertThat(data.copies().snapshot().handedOff()).isEqualTo(4);
        });
    assertThat(sent).hasValue(1);
  }

  @Test
  void toByteBuf_ownsTheBuffers() throws Exception {
    between(
        true,
        true,
        channel -> {
          Iterator<BytesMessage<Blob>> parts =
              ClientCalls.blockingServerStreamingCall(
                  channel, read, CallOptions.DEFAULT, request(100_000));
          int at = 0;
          while (parts.hasNext()) {
            BytesMessage<Blob> part = parts.next();
            ByteBuf bytes = part.toByteBuf();
            part.close();
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            bytes.release();
            assertThat(copy).isEqualTo(java.util.Arrays.copyOfRange(content, at, at + copy.length));
            at += copy.length;
          }
          assertThat(at).isEqualTo(SIZE);
        });
  }

  @Test
  void fileThatEndsEarly_failsTheCall() throws Exception {
    between(
        true,
        true,
        channel -> {
          Response response = new Response();
          FileChannel file = FileChannel.open(folder.resolve("file"));
          StreamObserver<BytesMessage<Blob>> ignored =
              ClientCalls.asyncClientStreamingCall(
                  channel.newCall(write, CallOptions.DEFAULT),
                  data.sendFile(file, 0, SIZE + 1).closeFile().upload(response));
          assertThatThrownBy(response::get).hasRootCauseInstanceOf(java.io.EOFException.class);
          assertThat(file.isOpen()).isFalse();
        });
  }

  @Test
  void cancelledRead_releasesAll() throws Exception {
    between(
        true,
        true,
        channel -> {
          Iterator<BytesMessage<Blob>> parts =
              ClientCalls.blockingServerStreamingCall(
                  channel,
                  read,
                  CallOptions.DEFAULT.withDeadlineAfter(500, TimeUnit.MILLISECONDS),
                  request(4096));
          parts.next().close();
          assertThatThrownBy(
                  () -> {
                    TimeUnit.SECONDS.sleep(1);
                    while (true) {
                      parts.next().close();
                    }
                  })
              .isInstanceOfAny(
                  StatusRuntimeException.class, java.util.NoSuchElementException.class);
        });
  }

  @Test
  void unreadableRequest_isRefusedWithItsMethod() throws Exception {
    between(
        true,
        false,
        channel -> {
          Response response = new Response();
          StreamObserver<String> requests =
              ClientCalls.asyncClientStreamingCall(
                  channel.newCall(
                      BlobStoreGrpc.getWriteMethod().toBuilder(
                              new Raw(), BlobStoreGrpc.getWriteMethod().getResponseMarshaller())
                          .build(),
                      CallOptions.DEFAULT),
                  response);
          requests.onNext("\u0012\u007f");
          assertThatThrownBy(response::get)
              .cause()
              .satisfies(
                  e -> {
                    Status status = Status.fromThrowable(e);
                    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                    assertThat(status.getDescription()).contains("example.BlobStore/Write");
                  });
          assertThat(stockRead(channel, 65536)).isEqualTo(content);
        });
  }

  private record Raw() implements MethodDescriptor.Marshaller<String> {
    @Override
    public java.io.InputStream stream(String text) {
      return new java.io.ByteArrayInputStream(
          text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    @Override
    public String parse(java.io.InputStream stream) {
      throw new UnsupportedOperationException();
    }
  }

  /** A user may turn on again what {@link ZeroCopy#client} turns off. */
  @Test
  void channelWithRetries_copiesAndRepeats() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(
                new BlobStoreGrpc.BlobStoreImplBase() {
                  @Override
                  public StreamObserver<Blob> write(StreamObserver<WriteResponse> responses) {
                    if (calls.incrementAndGet() % 3 != 0) {
                      responses.onError(Status.UNAVAILABLE.asRuntimeException());
                      return new Ignoring();
                    }
                    return blobs.write(responses);
                  }
                })
            .build()
            .start();
    Map<String, ?> policy =
        Map.of(
            "maxAttempts",
            3.0,
            "initialBackoff",
            "0.01s",
            "maxBackoff",
            "0.01s",
            "backoffMultiplier",
            1.0,
            "retryableStatusCodes",
            List.of("UNAVAILABLE"));
    Map<String, ?> method =
        Map.of("name", List.of(Map.of("service", "example.BlobStore")), "retryPolicy", policy);
    ManagedChannel channel =
        ZeroCopy.client(NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()), pool)
            .usePlaintext()
            .enableRetry()
            .perRpcBufferLimit(2 * SIZE)
            .retryBufferSize(2 * SIZE)
            .defaultServiceConfig(Map.of("methodConfig", List.of(method)))
            .build();
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(zeroCopyWrite(channel, 65536, CallOptions.DEFAULT)).isEqualTo(SIZE);
        assertThat(folder.resolve("written")).hasBinaryContent(content);
      }
      assertThat(data.copies().snapshot()).isEqualTo(new Snapshot(0, 3 * messages(65536), 0, 0));
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
      assertThat(channel.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      assertThat(server.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static final class Ignoring implements StreamObserver<Blob> {
    @Override
    public void onNext(Blob blob) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  @Test
  void manyCalls_atOnce_areRight() throws Exception {
    between(
        true,
        true,
        channel -> {
          IntStream.range(0, 8)
              .parallel()
              .forEach(
                  i -> {
                    try {
                      assertThat(zeroCopyRead(channel, 1000 + i * 7000, CallOptions.DEFAULT))
                          .isEqualTo(content);
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
        });
  }
}
