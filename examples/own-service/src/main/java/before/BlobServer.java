package before;

import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
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
    return ServerBuilder.forPort(port).addService(blobs).build().start();
  }

  @Override
  public void read(ReadRequest request, StreamObserver<Blob> responses) {
    try {
      Blobs.send(path(request.getName()), responses);
    } catch (IOException | IllegalArgumentException e) {
      responses.onError(Status.NOT_FOUND.withDescription("no such blob").asException());
    }
  }

  @Override
  public StreamObserver<Blob> write(StreamObserver<WriteResponse> response) {
    String name = UUID.randomUUID().toString();
    try {
      return new Upload(name, path(name), response);
    } catch (IOException e) {
      throw Status.INTERNAL.withCause(e).asRuntimeException();
    }
  }

  private Path path(String name) {
    return folder.resolve(UUID.fromString(name).toString());
  }

  private static WriteResponse written(String name, long size) {
    return WriteResponse.newBuilder().setName(name).setSize(size).build();
  }

  private static final class Upload implements StreamObserver<Blob> {
    private final String name;
    private final Path path;
    private final StreamObserver<WriteResponse> response;
    private final OutputStream file;
    private long size;

    Upload(String name, Path path, StreamObserver<WriteResponse> response) throws IOException {
      this.name = name;
      this.path = path;
      this.response = response;
      this.file = Files.newOutputStream(path);
    }

    @Override
    public void onNext(Blob blob) {
      try {
        blob.getData().writeTo(file);
        size += blob.getData().size();
      } catch (IOException e) {
        response.onError(Status.INTERNAL.withCause(e).asException());
      }
    }

    @Override
    public void onCompleted() {
      try {
        file.close();
        response.onNext(written(name, size));
        response.onCompleted();
      } catch (IOException e) {
        response.onError(Status.INTERNAL.withCause(e).asException());
      }
    }

    @Override
    public void onError(Throwable cancelled) {
      try {
        file.close();
        Files.delete(path);
      } catch (IOException e) {
        // The file stays.
      }
    }
  }
}
