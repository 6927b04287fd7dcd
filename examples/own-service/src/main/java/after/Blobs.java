package after;

import dev.ferry.zerocopy.BytesField;
import dev.ferry.zerocopy.FileSender;
import example.blobs.Blob;
import java.io.IOException;
import java.nio.file.Path;

/** What server and client have in common. */
final class Blobs {
  static final BytesField<Blob> DATA =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);

  private Blobs() {}

  static FileSender<Blob> send(Path source) throws IOException {
    return DATA.sendFile(source).rest((at, n) -> Blob.newBuilder().setOffset(at).build());
  }
}
