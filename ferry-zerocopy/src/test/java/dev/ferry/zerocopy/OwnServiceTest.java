package dev.ferry.zerocopy;

import static dev.ferry.zerocopy.BlobCalls.SIZE;
import static dev.ferry.zerocopy.BlobCalls.messages;
import static dev.ferry.zerocopy.BlobCalls.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.zerocopy.BlobCalls.Reply;
import dev.ferry.zerocopy.BlobCalls.Use;
import dev.ferry.zerocopy.CopyCounters.Snapshot;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
  @TempDir Path folder;
  private BlobServer blobs;
  private BlobCalls calls;
  private BytesField<Blob> data;

  @BeforeEach
  void makeFile() throws IOException {
    blobs = new BlobServer(folder);
    calls = new BlobCalls(folder);
    data = calls.data;
  }

  /** All that was received was released. */
  @AfterEach
  void countBuffers() throws InterruptedException {
    BlobCalls.assertReleased(calls.pool, blobs.pool);
  }

  private void between(boolean convertedServer, boolean tunedClient, Use use) throws Exception {
    BlobCalls.between(
        convertedServer
            ? ZeroCopy.server(BlobCalls.listen(), blobs.pool)
                .directExecutor()
                .addService(blobs.converted())
                .build()
            : BlobCalls.listen().addService(blobs).build(),
        port -> {
          NettyChannelBuilder address = BlobCalls.connect(port).usePlaintext();
          return (tunedClient ? ZeroCopy.client(address, calls.pool) : address)
              .directExecutor()
              .build();
        },
        use);
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
                  BlobCalls.listen(), blobs.pool, accepting, servers, accepting.serverChannels())
              .sslContext(
                  ZeroCopy.tls(
                      GrpcSslContexts.configure(
                              SslContextBuilder.forServer(certificate.toKeyManagerFactory()))
                          .build()))
              .addService(blobs.converted())
              .build()
              .start();
      ManagedChannel channel =
          ZeroCopy.client(BlobCalls.connect(server.getPort()), calls.pool, clients)
              .sslContext(
                  ZeroCopy.tls(
                      GrpcSslContexts.forClient()
                          .trustManager(certificate.getCertificate())
                          .build()))
              .build();
      try {
        assertThat(calls.read(channel, 65536, CallOptions.DEFAULT)).isEqualTo(calls.content);
        assertThat(calls.write(channel, 65536, CallOptions.DEFAULT)).isEqualTo(SIZE);
        assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
        assertThat(blobs.data.copies().snapshot().handedOff()).isEqualTo(messages(65536));
        assertThat(data.copies().snapshot().handedOff()).isEqualTo(messages(65536));
        assertThat(data.copies().snapshot().copiedOut()).isZero();
        assertThat(blobs.data.copies().snapshot().copiedOut()).isZero();
      } finally {
        BlobCalls.stop(server, channel);
      }
    }
  }

  @Test
  void eitherEndStock_isRight() throws Exception {
    between(
        true,
        false,
        channel -> {
          assertThat(calls.stockRead(channel, 10_000, CallOptions.DEFAULT))
              .isEqualTo(calls.content);
          assertThat(calls.stockWrite(channel, 10_000, CallOptions.DEFAULT)).isEqualTo(SIZE);
        });
    between(
        false,
        true,
        channel -> {
          assertThat(calls.read(channel, 10_000, CallOptions.DEFAULT)).isEqualTo(calls.content);
          assertThat(calls.write(channel, 10_000, CallOptions.DEFAULT)).isEqualTo(SIZE);
        });
    assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
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
          assertThat(calls.write(channel, chunkSize, gzip)).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
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
          assertThat(calls.write(channel, 4096, CallOptions.DEFAULT)).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
          assertThat(data.copies().snapshot()).isEqualTo(new Snapshot(0, messages(4096), 0, 0));
        });
  }

  @Test
  void inProcess_isCopiedAndRight() throws Exception {
    BlobCalls.between(
        InProcessServerBuilder.forName("blobs")
            .directExecutor()
            .addService(blobs.converted())
            .build(),
        port -> InProcessChannelBuilder.forName("blobs").directExecutor().build(),
        channel -> {
          assertThat(calls.read(channel, 4096, CallOptions.DEFAULT)).isEqualTo(calls.content);
          assertThat(calls.write(channel, 4096, CallOptions.DEFAULT)).isEqualTo(SIZE);
        });
    assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
    assertThat(blobs.data.copies().snapshot())
        .isEqualTo(new Snapshot(0, messages(4096), 0, messages(4096)));
    assertThat(data.copies().snapshot())
        .isEqualTo(new Snapshot(0, messages(4096), 0, messages(4096)));
  }

  @Test
  void messages_ofEverySource_arrive() throws Exception {
    ByteBuffer direct = ByteBuffer.allocateDirect(SIZE).put(calls.content).flip();
    AtomicInteger sent = new AtomicInteger();
    between(
        true,
        true,
        channel -> {
          Reply response = new Reply();
          StreamObserver<BytesMessage<Blob>> requests =
              ClientCalls.asyncClientStreamingCall(
                  channel.newCall(calls.write, CallOptions.DEFAULT), response);
          Blob rest = Blob.newBuilder().setEtag("tag").build();
          ByteBuf pooled = calls.pool.directBuffer().writeBytes(calls.content, 0, 100_000);
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
              data.message(rest, java.util.Arrays.copyOfRange(calls.content, 300_000, 400_000)));
          requests.onNext(
              data.message(rest, Unpooled.wrappedBuffer(calls.content, 400_000, SIZE - 400_000)));
          requests.onNext(data.message(Blob.newBuilder().setEtag("end").build()));
          requests.onCompleted();
          assertThat(response.size()).isEqualTo(SIZE);
          assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
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
                  channel, calls.read, CallOptions.DEFAULT, request(100_000));
          int at = 0;
          while (parts.hasNext()) {
            BytesMessage<Blob> part = parts.next();
            ByteBuf bytes = part.toByteBuf();
            part.close();
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            bytes.release();
            assertThat(copy)
                .isEqualTo(java.util.Arrays.copyOfRange(calls.content, at, at + copy.length));
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
          Reply response = new Reply();
          FileChannel file = FileChannel.open(folder.resolve("file"));
          StreamObserver<BytesMessage<Blob>> ignored =
              ClientCalls.asyncClientStreamingCall(
                  channel.newCall(calls.write, CallOptions.DEFAULT),
                  data.sendFile(file, 0, SIZE + 1).closeFile().upload(response));
          assertThatThrownBy(response::size).hasRootCauseInstanceOf(java.io.EOFException.class);
          assertThat(file.isOpen()).isFalse();
        });
  }

  @Test
  void cancelledRead_releasesAll() throws Exception {
    between(
        true,
        true,
        channel -> {
          Context.CancellableContext context = Context.current().withCancellation();
          Iterator<BytesMessage<Blob>> parts =
              context.call(
                  () ->
                      ClientCalls.blockingServerStreamingCall(
                          channel, calls.read, CallOptions.DEFAULT, request(4096)));
          parts.next().close();
          context.cancel(null);
          assertThatThrownBy(
                  () -> {
                    while (true) {
                      parts.next().close();
                    }
                  })
              .isInstanceOf(StatusRuntimeException.class);
        });
  }

  @Test
  void unreadableRequest_isRefusedWithItsMethod() throws Exception {
    between(
        true,
        false,
        channel -> {
          Reply response = new Reply();
          StreamObserver<String> requests =
              ClientCalls.asyncClientStreamingCall(
                  channel.newCall(
                      BlobStoreGrpc.getWriteMethod().toBuilder(
                              new Raw(), BlobStoreGrpc.getWriteMethod().getResponseMarshaller())
                          .build(),
                      CallOptions.DEFAULT),
                  response);
          requests.onNext("\u0012\u007f");
          assertThatThrownBy(response::size)
              .cause()
              .satisfies(
                  e -> {
                    Status status = Status.fromThrowable(e);
                    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                    assertThat(status.getDescription()).contains("example.BlobStore/Write");
                  });
          assertThat(calls.stockRead(channel, 65536, CallOptions.DEFAULT)).isEqualTo(calls.content);
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
    AtomicInteger attempts = new AtomicInteger();
    Server server =
        BlobCalls.listen()
            .addService(
                new BlobStoreGrpc.BlobStoreImplBase() {
                  @Override
                  public StreamObserver<Blob> write(StreamObserver<WriteResponse> responses) {
                    if (attempts.incrementAndGet() % 3 != 0) {
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
        ZeroCopy.client(BlobCalls.connect(server.getPort()), calls.pool)
            .usePlaintext()
            .enableRetry()
            .perRpcBufferLimit(2 * SIZE)
            .retryBufferSize(2 * SIZE)
            .defaultServiceConfig(Map.of("methodConfig", List.of(method)))
            .build();
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(calls.write(channel, 65536, CallOptions.DEFAULT)).isEqualTo(SIZE);
        assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
      }
      assertThat(data.copies().snapshot()).isEqualTo(new Snapshot(0, 3 * messages(65536), 0, 0));
    } finally {
      BlobCalls.stop(server, channel);
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
                      assertThat(calls.read(channel, 1000 + i * 7000, CallOptions.DEFAULT))
                          .isEqualTo(calls.content);
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
        });
  }
}
