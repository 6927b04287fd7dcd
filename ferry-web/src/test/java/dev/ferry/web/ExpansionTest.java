package dev.ferry.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.FileFacts;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileStore;
import dev.ferry.core.TestFiles;
import dev.ferry.grpc.Method;
import dev.ferry.grpc.MethodSetup;
import dev.ferry.net.ServerSettings;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compressed messages of gRPC that expand, on the web port. */
@Timeout(30)
class ExpansionTest {
  private static final int CHUNKS = 15;
  private static final FilePart ZEROS =
      FilePart.newBuilder().setChunk(ByteString.copyFrom(new byte[1_000_000])).build();

  @TempDir Path root;

  @ParameterizedTest
  @EnumSource(Method.class)
  void upload_messagesThatExpand_areRefusedUnlessTheSizeIsAnnounced(Method method)
      throws Exception {
    try (WebFilesServer server =
        WebFilesServer.start(
            LocalFileStore.open(root),
            "127.0.0.1",
            0,
            ServerSettings.defaults(),
            MethodSetup.of(method))) {
      ManagedChannel channel =
          ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        FileFacts.Builder facts = FileFacts.newBuilder().setName("f");
        Throwable failure = catchThrowable(() -> upload(channel, facts));
        Throwable status = failure.getCause() == null ? failure : failure.getCause();
        FerryException refused = Errors.fromStatus(status, "upload");
        assertThat(refused)
            .hasMessageContaining("decompresses to more than 200 times what was sent");
        assertThat(refused.kind()).isEqualTo(ErrorKind.TOO_LARGE);
        TestFiles.awaitTree(root);
        upload(channel, facts.setSize(CHUNKS * 1_000_000L));
      } finally {
        channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
      }
    }
    assertThat(root.resolve("f")).hasSize(CHUNKS * 1_000_000L);
  }

  private static void upload(ManagedChannel channel, FileFacts.Builder facts) throws Exception {
    CompletableFuture<UploadReply> reply = new CompletableFuture<>();
    StreamObserver<FilePart> parts =
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
    parts.onNext(FilePart.newBuilder().setFacts(facts).build());
    for (int i = 0; i < CHUNKS; i++) {
      parts.onNext(ZEROS);
    }
    parts.onCompleted();
    reply.get(20, TimeUnit.SECONDS);
  }
}
