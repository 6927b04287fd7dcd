package dev.ferry.suites.own;

import dev.ferry.suites.rival.PartFile;
import example.blobs.Blob;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives a file, under a temporary name until it is whole. What its kinds differ in is how a
 * message is written. For one thread at a time.
 *
 * @param <M> a message
 */
abstract class BlobReceiver<M> implements Closeable {
  private final Function<String, Path> target;
  private @Nullable PartFile file;
  private long bytes;
  private boolean over;

  /**
   * Creates a receiver.
   *
   * @param target returns the file of the name in the first message
   */
  BlobReceiver(Function<String, Path> target) {
    this.target = target;
  }

  /** Returns the fields of a message beside its bytes. */
  abstract Blob fields(M message);

  /**
   * Takes a message over, writes its bytes, at the latest when it is flushed, and returns their
   * number.
   */
  abstract int write(M message, FileChannel channel) throws IOException;

  /** Writes what is not written yet. */
  void flush(FileChannel channel) throws IOException {}

  /** Releases a message that is not written. */
  void release(M message) {}

  /** Releases all messages that are not written. */
  void discard() {}

  /** Takes a message over, also if this method throws. */
  final void take(M message) throws IOException {
    bytes += write(message, begun(message).channel());
  }

  private PartFile begun(M message) throws IOException {
    PartFile begun = file;
    try {
      Blob fields = fields(message);
      if (over || fields.getOffset() != bytes) {
        throw new IOException("bytes " + fields.getOffset() + " came in place of " + bytes);
      }
      if (begun == null) {
        begun = new PartFile(target.apply(fields.getName()));
        file = begun;
      }
      return begun;
    } catch (IOException | RuntimeException e) {
      release(message);
      throw e;
    }
  }

  /** Gives the file its name, and returns its size. */
  final long commit() throws IOException {
    if (over || file == null) {
      throw new IOException("the stream ended before its first message");
    }
    flush(file.channel());
    file.commit();
    return bytes;
  }

  /** Deletes what was not committed. */
  @Override
  public final void close() {
    over = true;
    discard();
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
