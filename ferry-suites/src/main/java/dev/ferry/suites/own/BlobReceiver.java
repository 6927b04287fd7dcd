package dev.ferry.suites.own;

import dev.ferry.suites.rival.PartFile;
import example.blobs.Blob;
import example.blobs.WriteResponse;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Receives a file, under a temporary name until it is whole. For one thread at a time.
 *
 * @param <M> a message
 */
final class BlobReceiver<M> implements Closeable {
  private final Function<String, Path> target;
  private final Function<M, Blob> fields;
  private final BytesWriter<M> writer;
  private @Nullable PartFile file;
  private @Nullable CRC32C sum;
  private boolean summed;
  private long bytes;
  private boolean over;

  /**
   * Creates a receiver.
   *
   * @param target returns the file of the name in the first message
   * @param fields returns the fields of a message beside its bytes
   */
  BlobReceiver(Function<String, Path> target, Function<M, Blob> fields, BytesWriter<M> writer) {
    this.target = target;
    this.fields = fields;
    this.writer = writer;
  }

  /** Takes a message over, also if this method throws. */
  void take(M message) throws IOException {
    bytes += writer.write(message, begun(message).channel());
  }

  private PartFile begun(M message) throws IOException {
    PartFile begun = file;
    try {
      Blob described = fields.apply(message);
      if (over || described.getOffset() != bytes) {
        throw new IOException("bytes " + described.getOffset() + " came in place of " + bytes);
      }
      if (begun == null) {
        begun = new PartFile(target.apply(described.getName()));
        file = begun;
        sum = described.getCrc32CFollows() ? new CRC32C() : null;
      }
      if (sum != null) {
        writer.update(sum, message);
        check(described, sum);
      }
      return begun;
    } catch (IOException | RuntimeException e) {
      writer.release(message);
      throw e;
    }
  }

  private void check(Blob described, CRC32C received) throws IOException {
    if (summed) {
      throw new IOException("a message came after the checksum");
    }
    if (described.hasCrc32C()) {
      if (described.getCrc32C() != (int) received.getValue()) {
        throw new IOException("other bytes came than were sent");
      }
      summed = true;
    }
  }

  /** Returns whether the bytes were compared with what the sender has. */
  boolean isVerified() {
    return summed;
  }

  /** Returns the response to a file that is whole now. */
  WriteResponse committed() throws IOException {
    WriteResponse.Builder response = WriteResponse.newBuilder().setSize(commit());
    if (sum != null) {
      response.setCrc32C((int) sum.getValue());
    }
    return response.build();
  }

  /** Gives the file its name, and returns its size. */
  long commit() throws IOException {
    if (over || file == null) {
      throw new IOException("the stream ended before its first message");
    }
    if (sum != null && !summed) {
      throw new IOException("the stream ended before its checksum");
    }
    writer.flush(file.channel());
    file.commit();
    return bytes;
  }

  /** Deletes what was not committed. */
  @Override
  public void close() {
    over = true;
    writer.discard();
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // The first failure is the one to report.
      return;
    }
  }
}
