package dev.ferry.http.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.StallWatch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A file as a message body, either plain or as one gzip member. The consumer pulls it one buffer at
 * a time.
 *
 * <p>The last buffer is returned only after a check that the file is unchanged, so a modified file
 * never arrives complete. Thread-safe, because a client may still pull when its call was ended from
 * outside. Buffers must be filled in order.
 */
public final class FileBody implements OutgoingBody {
  private final FileSource source;
  private final Progress progress;
  private final StallWatch watch;
  private final long size;
  private final @Nullable GzipEncoder encoder;
  private long position;
  private long produced;
  private boolean closed;

  /**
   * @param source the file; the caller closes it
   * @param readBytes bytes to read from the file at once if it is compressed
   * @param progress receives the file bytes after each buffer
   * @param watch notified while the file is read
   */
  public FileBody(
      FileSource source, boolean gzip, int readBytes, Progress progress, StallWatch watch) {
    this.source = source;
    this.progress = progress;
    this.watch = watch;
    this.size = source.facts().size();
    this.encoder = gzip ? new GzipEncoder(source, readBytes) : null;
  }

  /**
   * Creates a body that also closes its file.
   *
   * @param readBytes bytes to read from the file at once if it is compressed
   */
  public static OutgoingBody closing(FileSource source, boolean gzip, int readBytes) {
    FileBody body = new FileBody(source, gzip, readBytes, Progress.NONE, StallWatch.none());
    return new OutgoingBody() {
      @Override
      public boolean fill(ByteBuffer buffer) throws FerryException {
        return body.fill(buffer);
      }

      @Override
      public void close() {
        body.close();
        Closing.quietly(source);
      }
    };
  }

  @Override
  public synchronized boolean fill(ByteBuffer buffer) throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, source.facts().name() + ": cancelled");
    }
    watch.working(true);
    try {
      return fillNext(buffer);
    } finally {
      watch.working(false);
    }
  }

  private boolean fillNext(ByteBuffer buffer) throws FerryException {
    int start = buffer.position();
    boolean last;
    if (encoder == null) {
      buffer.limit(start + (int) Math.min(buffer.remaining(), size - position));
      source.readFully(buffer, position);
      position += buffer.position() - start;
      last = position == size;
    } else {
      last = encoder.fill(buffer);
      position = encoder.position();
    }
    if (last) {
      source.verifyUnchanged();
    }
    produced += buffer.position() - start;
    progress.update(position, size);
    return last;
  }

  /** Returns the bytes produced so far, of the file or of its compressed form. */
  public synchronized long produced() {
    return produced;
  }

  @Override
  public synchronized void close() {
    if (encoder != null && !closed) {
      encoder.close();
    }
    closed = true;
  }
}
