package dev.ferry.zerocopy;

import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The code that Javadoc shows. */
final class ZeroCopySnippets extends BlobStoreGrpc.BlobStoreImplBase {
  // @start region="field"
  static final BytesField<Blob> DATA =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);

  // @end

  static Server server(int port) throws IOException {
    // @start region="server"
    ZeroCopySnippets blobs = new ZeroCopySnippets();
    var read = DATA.responses(BlobStoreGrpc.getReadMethod(), blobs::send);
    var write = DATA.requests(BlobStoreGrpc.getWriteMethod(), blobs::receive);
    var service = ZeroCopy.service(blobs, read, write);
    return ZeroCopy.server(NettyServerBuilder.forPort(port)).addService(service).build().start();
    // @end
  }

  // @start region="handlers"
  private void send(ReadRequest request, StreamObserver<BytesMessage<Blob>> responses) {
    try {
      DATA.sendFile(path(request.getName())).send(responses);
    } catch (IOException e) {
      responses.onError(Status.NOT_FOUND.withDescription("no such blob").asException());
    }
  }

  private StreamObserver<BytesMessage<Blob>> receive(StreamObserver<WriteResponse> response) {
    return DATA.receiveFile(
        path("new"), response, size -> WriteResponse.newBuilder().setSize(size).build());
  }

  // @end

  private static Path path(String name) {
    return Path.of("blobs").resolve(Path.of(name).getFileName());
  }

  static void client(
      Path source, Path target, ReadRequest request, StreamObserver<WriteResponse> reply)
      throws IOException {
    // @start region="client"
    ManagedChannel channel =
        ZeroCopy.client(NettyChannelBuilder.forAddress("localhost", 50051)).usePlaintext().build();
    long size = DATA.download(channel, BlobStoreGrpc.getReadMethod(), request, target);
    DATA.sendFile(source).upload(channel, BlobStoreGrpc.getWriteMethod(), reply);
    // @end
    assert size >= 0;
  }

  static void options(
      ManagedChannel channel,
      CallCredentials token,
      Path source,
      Path target,
      ReadRequest request,
      StreamObserver<WriteResponse> reply)
      throws IOException {
    // @start region="options"
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(5, TimeUnit.MINUTES).withCallCredentials(token);
    long size = DATA.download(channel, BlobStoreGrpc.getReadMethod(), options, request, target);
    DATA.sendFile(source).upload(channel, BlobStoreGrpc.getWriteMethod(), options, reply);
    // @end
    assert size >= 0;
  }

  static void observer(
      BytesMessage<Blob> message, java.nio.channels.FileChannel file, StreamObserver<?> response) {
    // @start region="message"
    try (message) {
      message.writeTo(file);
    } catch (IOException e) {
      response.onError(Status.INTERNAL.withCause(e).asException());
    }
    // @end
  }
}
