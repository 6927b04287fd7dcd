package dev.ferry.suites.own;

import com.google.protobuf.UnsafeByteOperations;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The client of {@link TunedBlobs}. */
final class TunedBlobsClient extends BlobClient<Blob> {
  private static final CallOptions OPTIONS =
      CallOptions.DEFAULT.withOnReadyThreshold(TunedBlobs.ON_READY_THRESHOLD);

  private final Channel channel;
  private final @Nullable AliasingMarshaller aliasing;
  private final MethodDescriptor<ReadRequest, Blob> read;

  /**
   * Creates a client.
   *
   * @param aliasing reads messages; null for the generated code
   */
  TunedBlobsClient(Channel channel, @Nullable AliasingMarshaller aliasing, Runnable close) {
    super(close);
    this.channel = channel;
    this.aliasing = aliasing;
    MethodDescriptor<ReadRequest, Blob> generated = BlobStoreGrpc.getReadMethod();
    this.read =
        aliasing == null
            ? generated
            : generated.toBuilder(generated.getRequestMarshaller(), aliasing).build();
  }

  @Override
  BlobReceiver<Blob> receiver(Function<String, Path> target) {
    return new TunedBlobs.Receiver(target, aliasing);
  }

  @Override
  void read(ReadRequest request, BlobReceiver<Blob> receiver)
      throws ExecutionException, InterruptedException {
    Download download = new Download(receiver);
    ClientCalls.asyncServerStreamingCall(channel.newCall(read, OPTIONS), request, download);
    Boolean unused = download.ended.get();
  }

  @Override
  void write(Blob first, FileChannel file, int chunkSize, StreamObserver<WriteResponse> response) {
    StreamObserver<Blob> unused =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(BlobStoreGrpc.getWriteMethod(), OPTIONS),
            new StockBlobsClient.Upload(
                first, file, chunkSize, UnsafeByteOperations::unsafeWrap, response));
  }

  private static final class Download implements ClientResponseObserver<ReadRequest, Blob> {
    private final BlobReceiver<Blob> receiver;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private @Nullable ClientCallStreamObserver<ReadRequest> call;

    Download(BlobReceiver<Blob> receiver) {
      this.receiver = receiver;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ReadRequest> starting) {
      call = starting;
      starting.disableAutoRequestWithInitial(TunedBlobs.AHEAD);
    }

    @Override
    public void onNext(Blob blob) {
      ClientCallStreamObserver<ReadRequest> running = Objects.requireNonNull(call);
      try {
        receiver.take(blob);
        running.request(1);
      } catch (IOException e) {
        running.cancel("the file cannot be written", e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      ended.complete(true);
    }
  }
}
