package after;

import dev.ferry.zerocopy.BytesMessage;
import dev.ferry.zerocopy.ZeroCopy;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** Keeps blobs in the files of a folder, under names that it chooses. */
public final class BlobServer extends BlobStoreGrpc.BlobStoreImplBase {
  private final Path folder;

  private BlobServer(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    start(Path.of(args[0]), Integer.parseInt(args[1])).awaitTermination();
  }

  public static Server start(Path folder, int port) throws IOException {
    BlobServer blobs = new BlobServer(folder);
    var read = Blobs.DATA.responses(BlobStoreGrpc.getReadMethod(), blobs::send);
    var write = Blobs.DATA.requests(BlobStoreGrpc.getWriteMethod(), blobs::receive);
    var service = ZeroCopy.service(blobs, read, write);
    return ZeroCopy.server(NettyServerBuilder.forPort(port)).addService(service).build().start();
  }

  private void send(ReadRequest request, StreamObserver<BytesMessage<Blob>> responses) {
    try {
      Blobs.send(path(request.getName())).send(responses);
    } catch (IOException | IllegalArgumentException e) {
      responses.onError(Status.NOT_FOUND.withDescription("no such blob").asException());
    }
  }

  private StreamObserver<BytesMessage<Blob>> receive(StreamObserver<WriteResponse> response) {
    String name = UUID.randomUUID().toString();
    return Blobs.DATA.receiveFile(path(name), response, size -> written(name, size));
  }

  private Path path(String name) {
    return folder.resolve(UUID.fromString(name).toString());
  }

  private static WriteResponse written(String name, long size) {
    return WriteResponse.newBuilder().setName(name).setSize(size).build();
  }
}
