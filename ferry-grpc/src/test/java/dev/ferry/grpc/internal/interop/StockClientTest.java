package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FileFacts;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.Sha256;
import dev.ferry.grpc.internal.Method;
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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A client of the generated code on grpc-java's defaults, with a Ferry server of every method. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockClientTest {
  private static final String CASES = "dev.ferry.grpc.internal.interop.Cases#all";
  private static final int SECONDS = 30;
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

  private Path files;
  private FerryServers servers;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    files = folder;
    Cases.write(files);
    servers = new FerryServers(files);
  }

  @AfterAll
  void stop() {
    servers.close();
  }

  private interface Use {
    void with(ManagedChannel channel) throws Exception;
  }

  private void connect(Method method, DecompressorRegistry accepted, Use use) throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", servers.port(method))
            .usePlaintext()
            .decompressorRegistry(accepted)
            .build();
    try {
      use.with(channel);
    } finally {
      channel.shutdownNow().awaitTermination(SECONDS, TimeUnit.SECONDS);
    }
  }

  private void connect(Method method, Use use) throws Exception {
    connect(method, DecompressorRegistry.getDefaultInstance(), use);
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

  @ParameterizedTest(name = "{0}, {1} in {2}, gzip {3}")
  @MethodSource(CASES)
  void download_byABlockingIterator_arrivesWhole(
      Method method, String file, int chunk, boolean gzip) throws Exception {
    connect(
        method,
        channel ->
            assertThat(download(channel, file, chunk, gzip).encoding.get())
                .isEqualTo(gzip ? "gzip" : "identity"));
  }

  @ParameterizedTest(name = "{0}, {1} in {2}, gzip {3}")
  @MethodSource(CASES)
  void upload_byAnAsyncStub_arrivesWhole(Method method, String file, int chunk, boolean gzip)
      throws Exception {
    connect(method, channel -> upload(channel, file, chunk, gzip, false));
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void upload_withEveryOtherMessageNotCompressed_arrivesWhole(Method method) throws Exception {
    for (int chunk : List.of(300, 1000, 65536)) {
      connect(method, channel -> upload(channel, Cases.MIXED, chunk, true, true));
    }
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void download_whereNoCompressionIsAccepted_comesAsItIs(Method method) throws Exception {
    long size = Files.size(files.resolve(Cases.TEXT));
    for (boolean named : new boolean[] {false, true}) {
      // Either no grpc-accept-encoding at all, or one of identity.
      DecompressorRegistry identity =
          DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, named);
      for (int chunk : List.of(1000, 65536)) {
        connect(
            method,
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
