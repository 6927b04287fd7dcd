package dev.ferry.suites.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that streams bytes, and knows nothing of Ferry. */
@Timeout(300)
final class GrpcStreamClientTest {
  private static final int BYTES = 3_000_001;

  private final byte[] content = new byte[BYTES];
  private final Server server;
  private volatile boolean compressed;

  @TempDir Path folder;

  GrpcStreamClientTest() throws IOException {
    new Random(1).nextBytes(content);
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(new Blobs())
            .addService(ProtoReflectionServiceV1.newInstance())
            .intercept(new Compressing())
            .build()
            .start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.shutdownNow();
    assertThat(server.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
  }

  /** Sends the name of a file first, and then its bytes. */
  private final class Blobs extends BlobStoreGrpc.BlobStoreImplBase {
    @Override
    public void read(ReadRequest request, StreamObserver<Blob> responses) {
      responses.onNext(Blob.newBuilder().setName(request.getName()).setEtag("1").build());
      int chunk = request.getChunkSize();
      for (int at = 0; at < BYTES; at += chunk) {
        ByteString data = ByteString.copyFrom(content, at, Math.min(chunk, BYTES - at));
        responses.onNext(Blob.newBuilder().setOffset(at).setData(data).build());
      }
      if (request.getName().equals("broken")) {
        responses.onError(Status.DATA_LOSS.withDescription("the disk").asException());
      } else {
        responses.onCompleted();
      }
    }
  }

  private final class Compressing implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      if (compressed) {
        call.setCompression("gzip");
      }
      return next.startCall(call, headers);
    }
  }

  private GrpcCall read(String name, int chunkSize) throws Exception {
    ReadRequest request = ReadRequest.newBuilder().setName(name).setChunkSize(chunkSize).build();
    return GrpcCall.of(
        new GrpcAddress("127.0.0.1", server.getPort(), "example.blobs.BlobStore", "Read"),
        JsonFormat.printer().print(request),
        null,
        null);
  }

  @ParameterizedTest
  @CsvSource({
    "GrpcDefault, 4096", "GrpcDefault, 1000000",
    "GrpcTuned, 4096", "GrpcTuned, 1000000",
    "ZeroCopy, 4096", "ZeroCopy, 1000000",
  })
  void get_eachWay_writesTheBytesOfTheField(String row, int chunkSize) throws Exception {
    GrpcCall call = read("file", chunkSize);
    long messages = call.receive(folder.resolve("first"), Long.MAX_VALUE).messages();
    Path target = folder.resolve("target");

    // As a fork, which knows the call by its folder.
    call.save(folder);
    GrpcCall loaded = GrpcCall.load(folder, call.address(), "data");
    try (var client = GrpcStreamClient.connect(row, loaded, messages)) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.get(target)).isEqualTo("h2c");
        assertThat(target).binaryContent().isEqualTo(content);
        Files.delete(target);
      }
    }

    assertThat(messages).isEqualTo(1 + (BYTES + chunkSize - 1) / chunkSize);
    assertThat(folder.resolve("first")).binaryContent().isEqualTo(content);
  }

  @Test
  void receive_moreThanAllowed_endsEarly() throws Exception {
    Path first = folder.resolve("first");
    long messages = read("file", 1000).receive(first, 10_000).messages();

    // Their other fields count, too.
    assertThat(messages).isEqualTo(1 + 10);
    assertThat(first).hasSize(10_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GrpcDefault", "GrpcTuned", "ZeroCopy"})
  void get_streamThatFailsOrDiffers_leavesNoFile(String row) throws Exception {
    Path target = folder.resolve("target");
    try (var client = GrpcStreamClient.connect(row, read("broken", 4096), 1)) {
      assertThatThrownBy(() -> client.get(target))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("BlobStore/Read: DATA_LOSS: the disk");
    }
    try (var client = GrpcStreamClient.connect(row, read("file", 1_000_000), 4)) {
      assertThatThrownBy(() -> client.get(target))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("responded with 5 messages; when the run began, with 4");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void get_zeroCopyFromServerThatCompresses_fails() throws Exception {
    compressed = true;
    Path target = folder.resolve("target");
    GrpcCall call = read("file", 1_000_000);
    try (var client = GrpcStreamClient.connect("GrpcTuned", call, 5)) {
      assertThat(client.get(target)).isEqualTo("h2c");
    }
    try (var client = GrpcStreamClient.connect("ZeroCopy", call, 5)) {
      assertThatThrownBy(() -> client.get(folder.resolve("other")))
          .hasMessageContaining("each message was copied");
    }
    assertThat(folder).isDirectoryNotContaining("glob:**/other*");
  }
}
