package dev.ferry.suites.own;

import com.google.protobuf.UnsafeByteOperations;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
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
  TunedBlobsClient(
      String protocol, Channel channel, @Nullable AliasingMarshaller aliasing, Runnable close) {
    super(protocol, close);
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
    return TunedBlobs.receiver(target, aliasing);
  }

  @Override
  void read(ReadRequest request, BlobReceiver<Blob> receiver)
      throws ExecutionException, InterruptedException {
    ReadObserver<ReadRequest, Blob> download = new ReadObserver<>(receiver::take);
    ClientCalls.asyncServerStreamingCall(channel.newCall(read, OPTIONS), request, download);
    download.await();
  }

  @Override
  void write(Blob first, FileChannel file, int chunkSize, StreamObserver<WriteResponse> response) {
    StreamObserver<Blob> unused =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(BlobStoreGrpc.getWriteMethod(), OPTIONS),
            new StockBlobsClient.Upload(
                first, file, chunkSize, UnsafeByteOperations::unsafeWrap, response));
  }
}
