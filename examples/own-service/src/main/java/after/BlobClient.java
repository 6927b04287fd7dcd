package after;

import dev.ferry.zerocopy.ZeroCopy;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Reads and writes the blobs of a server. */
public final class BlobClient implements AutoCloseable {
  private final ManagedChannel channel;

  public BlobClient(String host, int port) {
    channel = ZeroCopy.client(NettyChannelBuilder.forAddress(host, port)).usePlaintext().build();
  }

  /** Writes a file to a blob, and reads the blob to another file. */
  public static void main(String[] args) throws IOException {
    try (BlobClient client = new BlobClient(args[0], Integer.parseInt(args[1]))) {
      client.read(client.write(Path.of(args[2])), Path.of(args[3]));
    }
  }

  /** Reads a blob to a file. */
  public void read(String name, Path target) throws IOException {
    ReadRequest request = ReadRequest.newBuilder().setName(name).build();
    Blobs.DATA.download(channel, BlobStoreGrpc.getReadMethod(), request, target);
  }

  /** Writes a file to a blob, and returns its name. */
  public String write(Path source) throws IOException {
    Reply reply = new Reply();
    Blobs.send(source).upload(channel, BlobStoreGrpc.getWriteMethod(), reply);
    return reply.join().getName();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Reply extends CompletableFuture<WriteResponse>
      implements StreamObserver<WriteResponse> {
    @Override
    public void onNext(WriteResponse response) {
      complete(response);
    }

    @Override
    public void onError(Throwable failure) {
      completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}
  }
}
