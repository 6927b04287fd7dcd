package dev.ferry.suites.own;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The service as most people write it: bytes are copied to messages and from them. Nothing is set
 * at the server.
 */
final class StockBlobs extends BlobStoreGrpc.BlobStoreImplBase {
  private final Path folder;

  StockBlobs(Path folder) {
    this.folder = folder;
  }

  @Override
  public void read(ReadRequest request, StreamObserver<Blob> responses) {
    var call = (ServerCallStreamObserver<Blob>) responses;
    try {
      Path file = Blobs.resolve(folder, request.getName());
      Blob first = Blobs.first(request.getName(), file);
      BlobSender sender =
          BlobSender.start(
              call, first, FileChannel.open(file), request.getChunkSize(), ByteString::copyFrom);
      call.setOnCancelHandler(sender::close);
    } catch (IOException e) {
      call.onError(Blobs.status(e));
    }
  }

  @Override
  public StreamObserver<Blob> write(StreamObserver<WriteResponse> responses) {
    return WriteObserver.of(receiver(name -> Blobs.resolve(folder, name)), responses);
  }

  static BlobReceiver<Blob> receiver(Function<String, Path> target) {
    return new BlobReceiver<>(target, message -> message, BytesWriter.arrays(Blob::getData));
  }
}
