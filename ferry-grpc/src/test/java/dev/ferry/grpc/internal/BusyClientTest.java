package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.core.TestFiles;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.StatRequest;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client of grpc-java as it comes, which measures its connection by a PING for what it reads, and
 * much else that looks like a flood: it is none.
 */
@Timeout(300)
class BusyClientTest extends StockChannelHarness {
  private static final int CALLS = 1500;

  @AfterEach
  void wasNotTakenForAFlood() {
    assertThat(server.refused().of(Refusals.Reason.FLOOD)).isZero();
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

    assertThat(reply.get(120, TimeUnit.SECONDS).getFacts().getSize()).isEqualTo(chunks * size);
  }

  @Test
  void stat_callAfterCall_succeeds() throws Exception {
    Files.writeString(root.resolve("file"), "x");
    StatRequest request = StatRequest.newBuilder().setPath("file").build();
    FilesGrpc.FilesBlockingStub stub = FilesGrpc.newBlockingStub(channel);
    for (int i = 0; i < CALLS; i++) {
      assertThat(stub.stat(request).getFacts().getSize()).isEqualTo(1);
    }
  }
}
