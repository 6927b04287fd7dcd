package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FileFacts;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.StatRequest;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.net.internal.Refusals;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client of grpc-java as it comes, which measures its connection by a PING for what it reads, and
 * much else that looks like a flood: it is none.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.grpc.internal.End#methodRounds")
@ExtendWith(Round.Naming.class)
@Timeout(60)
class BusyClientTest {
  private static final int CALLS = 1500;

  @Parameter
  @SuppressWarnings("NullAway.Init")
  private Round<Method> round;

  private Method method = Method.DEFAULT;
  @TempDir Path root;
  private GrpcFilesServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start(TestInfo test) throws Exception {
    method = round.configuration(test);
    server = GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, method);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    assertThat(server.refused().of(Refusals.Reason.FLOOD)).isZero();
    channel.shutdownNow();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"64000000, 16384", "20000, 1"})
  void download_measuredByPings_isWhole(int size, int chunk) throws Exception {
    TestFiles.sparse(root.resolve("file"), size);
    DownloadRequest request =
        DownloadRequest.newBuilder().setPath("file").setChunkSize(chunk).build();
    Iterator<FilePart> parts = FilesGrpc.newBlockingStub(channel).download(request);

    long arrived = 0;
    while (parts.hasNext()) {
      arrived += parts.next().getChunk().size();
    }

    assertThat(arrived).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({"1000, 16384", "20000, 1"})
  void upload_inSmallFrames_isWhole(int chunks, int size) throws Exception {
    CompletableFuture<UploadReply> reply = new CompletableFuture<>();
    ClientCallStreamObserver<FilePart> call =
        (ClientCallStreamObserver<FilePart>)
            FilesGrpc.newStub(channel)
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
    call.onNext(FilePart.newBuilder().setFacts(FileFacts.newBuilder().setName("up")).build());
    ByteString bytes = ByteString.copyFrom(new byte[size]);
    for (int i = 0; i < chunks; i++) {
      while (!call.isReady() && !reply.isDone()) {
        Thread.onSpinWait();
      }
      call.onNext(FilePart.newBuilder().setChunk(bytes).build());
    }
    call.onCompleted();

    assertThat(reply.get(30, TimeUnit.SECONDS).getFacts().getSize()).isEqualTo(chunks * size);
  }

  @Test
  void stat_callAfterCall_isAnswered() throws Exception {
    Files.writeString(root.resolve("file"), "x");
    StatRequest request = StatRequest.newBuilder().setPath("file").build();
    FilesGrpc.FilesBlockingStub stub = FilesGrpc.newBlockingStub(channel);
    for (int i = 0; i < CALLS; i++) {
      assertThat(stub.stat(request).getFacts().getSize()).isEqualTo(1);
    }
  }
}
