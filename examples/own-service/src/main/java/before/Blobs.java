package before;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What server and client have in common. */
final class Blobs {
  private static final int CHUNK_SIZE = 64 * 1024;

  private Blobs() {}

  static void send(Path source, StreamObserver<Blob> blobs) throws IOException {
    try (InputStream file = Files.newInputStream(source)) {
      byte[] chunk = new byte[CHUNK_SIZE];
      long offset = 0;
      for (int read; (read = file.read(chunk)) > 0; offset += read) {
        ByteString data = ByteString.copyFrom(chunk, 0, read);
        blobs.onNext(Blob.newBuilder().setOffset(offset).setData(data).build());
      }
    }
    blobs.onCompleted();
  }
}
