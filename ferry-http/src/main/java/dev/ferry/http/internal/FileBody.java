package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.StallWatch;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
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
  private final long end;
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
    this(
        source,
        0,
        source.facts().size(),
        gzip ? new GzipEncoder(source, readBytes) : null,
        progress,
        watch);
  }

  /**
   * Creates the body of the rest of a file, which is not compressed.
   *
   * @param first the position of the first byte
   */
  FileBody(FileSource source, long first, Progress progress, StallWatch watch) {
    this(source, first, source.facts().size(), null, progress, watch);
  }

  private FileBody(
      FileSource source,
      long first,
      long end,
      @Nullable GzipEncoder encoder,
      Progress progress,
      StallWatch watch) {
    this.source = source;
    this.progress = progress;
    this.watch = watch;
    this.position = first;
    this.end = end;
    this.encoder = encoder;
    source.readAhead(first, end);
  }

  /**
   * Creates a body that also closes its file.
   *
   * @param readBytes bytes to read from the file at once if it is compressed
   * @param trailing the algorithm of the digest that follows the body; null for none
   * @param progress receives the position in the file after each buffer
   */
  public static OutgoingBody closing(
      FileSource source,
      boolean gzip,
      int readBytes,
      Digest.@Nullable Algorithm trailing,
      Progress progress) {
    return closing(
        new FileBody(source, gzip, readBytes, progress, StallWatch.none()), source, trailing);
  }

  /**
   * Creates the body of a part of a file, which is not compressed. It also closes the file.
   *
   * @param first the position of the first byte
   * @param length the number of bytes, which the file has
   * @param trailing the algorithm of the digest that follows the body; null for none
   * @param progress receives the position in the file after each buffer
   */
  public static OutgoingBody part(
      FileSource source,
      long first,
      long length,
      Digest.@Nullable Algorithm trailing,
      Progress progress) {
    return closing(
        new FileBody(source, first, first + length, null, progress, StallWatch.none()),
        source,
        trailing);
  }

  private static OutgoingBody closing(
      FileBody body, FileSource source, Digest.@Nullable Algorithm trailing) {
    return new OutgoingBody() {
      @Override
      public boolean fill(ByteBuffer buffer, BooleanSupplier enough) throws FerryException {
        return body.fill(buffer, enough);
      }

      @Override
      public @Nullable Digest trailingDigest() throws FerryException {
        return trailing == null ? null : source.digest(trailing);
      }

      @Override
      public void close() {
        body.close();
        Closing.quietly(source);
      }
    };
  }

  @Override
  public synchronized boolean fill(ByteBuffer buffer, BooleanSupplier enough)
      throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, source.facts().name() + ": cancelled");
    }
    watch.working(true);
    try {
      return fillNext(buffer, enough);
    } finally {
      watch.working(false);
    }
  }

  private boolean fillNext(ByteBuffer buffer, BooleanSupplier enough) throws FerryException {
    int start = buffer.position();
    boolean last;
    if (encoder == null) {
      int wanted = buffer.remaining();
      int length =
          end == FileFacts.UNKNOWN_SIZE
              ? source.available(position, wanted)
              : (int) Math.min(wanted, end - position);
      source.readFully(buffer.limit(start + length), position);
      position += length;
      last = end == FileFacts.UNKNOWN_SIZE ? length < wanted : position == end;
    } else {
      last = encoder.fill(buffer, enough);
      position = encoder.position();
    }
    if (last) {
      source.verifyUnchanged();
    }
    produced += buffer.position() - start;
    progress.update(position, last ? position : end);
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
