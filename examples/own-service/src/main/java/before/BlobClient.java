package before;

import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;

/** Reads and writes the blobs of a server. */
public final class BlobClient implements AutoCloseable {
  private final ManagedChannel channel;

  public BlobClient(String host, int port) {
    channel = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
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
    Iterator<Blob> blobs = BlobStoreGrpc.newBlockingStub(channel).read(request);
    try (OutputStream file = Files.newOutputStream(target)) {
      while (blobs.hasNext()) {
        blobs.next().getData().writeTo(file);
      }
    }
  }

  /** Writes a file to a blob, and returns its name. */
  public String write(Path source) throws IOException {
    Reply reply = new Reply();
    Blobs.send(source, BlobStoreGrpc.newStub(channel).write(reply));
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
