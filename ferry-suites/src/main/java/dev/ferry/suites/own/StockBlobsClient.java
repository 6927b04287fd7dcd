package dev.ferry.suites.own;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.Function;

/**
 * The client of {@link StockBlobs}: the blocking stub's iterator to read, the asynchronous stub to
 * write.
 */
final class StockBlobsClient extends BlobClient<Blob> {
  private final Channel channel;

  StockBlobsClient(String protocol, Channel channel, Runnable close) {
    super(protocol, close);
    this.channel = channel;
  }

  @Override
  BlobReceiver<Blob> receiver(Function<String, Path> target) {
    return StockBlobs.receiver(target);
  }

  @Override
  void read(ReadRequest request, BlobReceiver<Blob> receiver) throws IOException {
    Iterator<Blob> blobs = BlobStoreGrpc.newBlockingStub(channel).read(request);
    while (blobs.hasNext()) {
      receiver.take(blobs.next());
    }
  }

  @Override
  void write(Blob first, FileChannel file, int chunkSize, StreamObserver<WriteResponse> response) {
    StreamObserver<Blob> unused =
        BlobStoreGrpc.newStub(channel)
            .write(new Upload(first, file, chunkSize, ByteString::copyFrom, response));
  }

  /** Sends a file as the requests of a call. */
  record Upload(
      Blob first,
      FileChannel file,
      int chunkSize,
      BlobSender.Bytes bytes,
      StreamObserver<WriteResponse> response)
      implements ClientResponseObserver<Blob, WriteResponse> {
    @Override
    public void beforeStart(ClientCallStreamObserver<Blob> call) {
      try {
        BlobSender unused = BlobSender.start(call, first, file, chunkSize, bytes);
      } catch (IOException e) {
        throw Blobs.status(e);
      }
    }

    @Override
    public void onNext(WriteResponse value) {
      response.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
      response.onError(failure);
    }

    @Override
    public void onCompleted() {
      response.onCompleted();
    }
  }
}
