package dev.ferry.suites.own;

import dev.ferry.zerocopy.BytesMessage;
import example.blobs.Blob;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** The client of {@link ZeroCopyBlobs}. */
final class ZeroCopyBlobsClient extends BlobClient<BytesMessage<Blob>> {
  private final Channel channel;

  ZeroCopyBlobsClient(String protocol, Channel channel, Runnable close) {
    super(protocol, close);
    this.channel = channel;
  }

  @Override
  BlobReceiver<BytesMessage<Blob>> receiver(Function<String, Path> target) {
    return ZeroCopyBlobs.receiver(target);
  }

  @Override
  void read(ReadRequest request, BlobReceiver<BytesMessage<Blob>> receiver)
      throws ExecutionException, InterruptedException {
    ReadObserver<ReadRequest, BytesMessage<Blob>> observer = new ReadObserver<>(receiver::take);
    ClientCalls.asyncServerStreamingCall(
        channel.newCall(ZeroCopyBlobs.READ, CallOptions.DEFAULT), request, observer);
    observer.await();
  }

  @Override
  void write(Blob first, FileChannel file, int chunkSize, StreamObserver<WriteResponse> response)
      throws IOException {
    // Of earlier calls, since what this one sends is not counted before its end.
    ZeroCopyBlobs.requireNoCopies();
    StreamObserver<BytesMessage<Blob>> unused =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(ZeroCopyBlobs.WRITE, CallOptions.DEFAULT),
            ZeroCopyBlobs.sender(first, file, chunkSize).upload(response));
  }
}
