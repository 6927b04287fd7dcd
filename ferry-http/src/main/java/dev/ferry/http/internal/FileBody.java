package dev.ferry.http.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.StallWatch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A file as the body of a message, plain or as one gzip member, pulled piece by piece.
 *
 * <p>The last piece is given only when the file was found unchanged, so a file that changed never
 * arrives whole. Thread-safe, but for the order of pieces: a client may still pull when its call
 * was ended from outside.
 */
public final class FileBody implements Pieces {
  private final FileSource source;
  private final Progress progress;
  private final StallWatch watch;
  private final long size;
  private final @Nullable GzipEncoder encoder;
  private long position;
  private long produced;
  private boolean closed;

  /**
   * @param source stays the caller's to close
   * @param readBytes bytes read from the file at once where it is compressed
   * @param progress hears of bytes of the file, after each piece
   * @param watch told while the file is read
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
   * A body that closes its file as well.
   *
   * @param readBytes bytes read from the file at once where it is compressed
   */
  public static Pieces closing(FileSource source, boolean gzip, int readBytes) {
    FileBody body = new FileBody(source, gzip, readBytes, Progress.NONE, StallWatch.none());
    return new Pieces() {
      @Override
      public boolean fill(ByteBuffer piece) throws FerryException {
        return body.fill(piece);
      }

      @Override
      public void close() {
        body.close();
        Closing.quietly(source);
      }
    };
  }

  @Override
  public synchronized boolean fill(ByteBuffer piece) throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, source.facts().name() + ": cancelled");
    }
    watch.working(true);
    try {
      return fillNext(piece);
    } finally {
      watch.working(false);
    }
  }

  private boolean fillNext(ByteBuffer piece) throws FerryException {
    int start = piece.position();
    boolean last;
    if (encoder == null) {
      piece.limit(start + (int) Math.min(piece.remaining(), size - position));
      source.readFully(piece, position);
      position += piece.position() - start;
      last = position == size;
    } else {
      last = encoder.fill(piece);
      position = encoder.position();
    }
    if (last) {
      source.verifyUnchanged();
    }
    produced += piece.position() - start;
    progress.update(position, size);
    return last;
  }

  /** Bytes given so far, of the file or of its compressed form. */
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
