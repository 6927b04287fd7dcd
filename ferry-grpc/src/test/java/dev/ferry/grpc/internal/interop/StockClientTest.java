package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.core.Sha256;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client of the generated code on grpc-java's defaults, with a Ferry server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockClientTest {
  private static final String CASES = "dev.ferry.grpc.internal.interop.Cases#all";
  private static final int SECONDS = 30;
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

  private Path files;
  private GrpcFilesServer server;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    files = folder;
    Cases.write(files);
    server =
        GrpcFilesServer.start(
            LocalFileStore.open(files), "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private interface Use {
    void with(ManagedChannel channel) throws Exception;
  }

  private void connect(DecompressorRegistry accepted, Use use) throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .decompressorRegistry(accepted)
            .build();
    try {
      use.with(channel);
    } finally {
      channel.shutdownNow().awaitTermination(SECONDS, TimeUnit.SECONDS);
    }
  }

  private void connect(Use use) throws Exception {
    connect(DecompressorRegistry.getDefaultInstance(), use);
  }

  /** What a call looked like below the messages. */
  private static final class Wire extends ClientStreamTracer implements ClientInterceptor {
    final AtomicReference<@Nullable String> encoding = new AtomicReference<>();
    final AtomicLong bytes = new AtomicLong();

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withStreamTracerFactory(factory()));
    }

    private ClientStreamTracer.Factory factory() {
      return new ClientStreamTracer.Factory() {
        @Override
        public ClientStreamTracer newClientStreamTracer(
            ClientStreamTracer.StreamInfo info, Metadata headers) {
          return Wire.this;
        }
      };
    }

    @Override
    public void inboundHeaders(Metadata headers) {
      encoding.set(headers.get(ENCODING));
    }

    @Override
    public void inboundWireSize(long size) {
      bytes.addAndGet(size);
    }
  }

  private Wire download(ManagedChannel channel, String file, int chunk, boolean gzip)
      throws Exception {
    Wire wire = new Wire();
    Iterator<FilePart> parts =
        FilesGrpc.newBlockingStub(ClientInterceptors.intercept(channel, wire))
            .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
            .download(
                DownloadRequest.newBuilder()
                    .setPath(file)
                    .setChunkSize(chunk)
                    .setWantDigest(true)
                    .setCompress(gzip)
                    .build());
    assertThat(parts.next().getFacts().getSize()).isEqualTo(Files.size(files.resolve(file)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteString end = ByteString.EMPTY;
    while (parts.hasNext()) {
      FilePart part = parts.next();
      bytes.writeBytes(part.getChunk().toByteArray());
      end = part.getEnd().getSha256();
    }
    assertThat(bytes.toByteArray()).isEqualTo(Files.readAllBytes(files.resolve(file)));
    assertThat(end.toByteArray()).isEqualTo(Sha256.ofFile(files.resolve(file)).toBytes());
    return wire;
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void download_byABlockingIterator_arrivesWhole(String file, int chunk, boolean gzip)
      throws Exception {
    connect(
        channel ->
            assertThat(download(channel, file, chunk, gzip).encoding.get())
                .isEqualTo(gzip ? "gzip" : "identity"));
  }

  @Test
  void download_zstdThatTheClientDoesNotAccept_comesAsGzip() throws Exception {
    connect(
        channel -> {
          Wire wire = new Wire();
          Iterator<FilePart> parts =
              FilesGrpc.newBlockingStub(ClientInterceptors.intercept(channel, wire))
                  .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
                  .download(
                      DownloadRequest.newBuilder()
                          .setPath(Cases.TEXT)
                          .setCompress(true)
                          .setEncoding("zstd")
                          .setLevel(12)
                          .build());
          long size = 0;
          while (parts.hasNext()) {
            size += parts.next().getChunk().size();
          }
          assertThat(size).isEqualTo(Files.size(files.resolve(Cases.TEXT)));
          assertThat(wire.encoding.get()).isEqualTo("gzip");
        });
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void upload_byAnAsyncStub_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    connect(channel -> upload(channel, file, chunk, gzip, false));
  }

  @Test
  void upload_withEveryOtherMessageNotCompressed_arrivesWhole() throws Exception {
    for (int chunk : List.of(300, 1000, 65536)) {
      connect(channel -> upload(channel, Cases.MIXED, chunk, true, true));
    }
  }

  @Test
  void download_whereNoCompressionIsAccepted_comesAsItIs() throws Exception {
    long size = Files.size(files.resolve(Cases.TEXT));
    for (boolean named : new boolean[] {false, true}) {
      // Either no grpc-accept-encoding at all, or one of identity.
      DecompressorRegistry identity =
          DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, named);
      for (int chunk : List.of(1000, 65536)) {
        connect(
            identity,
            channel -> {
              Wire wire = download(channel, Cases.TEXT, chunk, true);
              assertThat(wire.encoding.get()).isEqualTo("identity");
              assertThat(wire.bytes.get()).isGreaterThan(size);
            });
      }
    }
  }

  private void upload(
      ManagedChannel channel, String file, int chunk, boolean gzip, boolean everyOther)
      throws Exception {
    FilesGrpc.FilesStub stub =
        FilesGrpc.newStub(channel).withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    CompletableFuture<FileFacts> reply = new CompletableFuture<>();
    StreamObserver<FilePart> observer =
        (gzip ? stub.withCompression("gzip") : stub).upload(new Reply(reply));
    ClientCallStreamObserver<FilePart> call = (ClientCallStreamObserver<FilePart>) observer;
    boolean compressed = true;
    for (FilePart part : StockFiles.parts(files.resolve(file), "copy", chunk, true)) {
      call.setMessageCompression(compressed);
      call.onNext(part);
      compressed = !everyOther || !compressed;
    }
    call.onCompleted();
    assertThat(reply.get(SECONDS, TimeUnit.SECONDS).getSize())
        .isEqualTo(Files.size(files.resolve(file)));
    Cases.assertArrived(files.resolve(file), files.resolve("copy"));
  }

  private record Reply(CompletableFuture<FileFacts> facts) implements StreamObserver<UploadReply> {
    @Override
    public void onNext(UploadReply reply) {
      facts.complete(reply.getFacts());
    }

    @Override
    public void onError(Throwable failure) {
      facts.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}
  }
}
