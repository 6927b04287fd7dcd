package dev.ferry.library.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PassingDigest;
import dev.ferry.core.internal.StreamFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What is uploaded without being a local file: bytes in memory, or a stream of which a window is in
 * memory. Nothing closes the stream. As long as the window begins with the first byte, the upload
 * can be repeated.
 *
 * <p>Up to {@value #AHEAD} bytes of a stream are read before the upload begins. If it ends there,
 * its size and digest are known, as those of a file. Thread-safe.
 */
public final class BytesSource implements FileSource {
  /** Bytes of a stream that are read before anything is sent. */
  private static final int AHEAD = 256 * 1024;

  /** Bytes of the first window: most streams are short, and there may be thousands of them. */
  private static final int FIRST = 8 * 1024;

  /** Most bytes of a stream that are kept. Every carrier asks for less at once. */
  private static final int KEPT = 4 * 1024 * 1024;

  private static final InputStream NONE = InputStream.nullInputStream();

  private final StorePath path;
  private final InputStream in;

  /** The bytes that are kept, from 0 to its position. */
  private ByteBuffer window;

  /** The position of the first byte of the window. */
  private volatile long base;

  // Another attempt asks for these while a read of the one before may wait for the stream.
  private volatile boolean ended;
  private volatile FileFacts facts;
  private volatile @Nullable PassingDigest passing;

  private BytesSource(StorePath path, InputStream in, long size, ByteBuffer window, boolean ended) {
    this.path = path;
    this.in = in;
    this.window = window;
    this.ended = ended;
    this.facts = facts(size);
  }

  /** Sends the remaining bytes of a buffer, whose position stays. */
  public static BytesSource of(StorePath path, ByteBuffer bytes) {
    ByteBuffer all = bytes.slice();
    return new BytesSource(path, NONE, all.limit(), all.position(all.limit()), true);
  }

  /**
   * Sends a stream, from which this reads.
   *
   * @param length bytes to send of it; {@link FileFacts#UNKNOWN_SIZE} for all
   */
  public static BytesSource of(StorePath path, InputStream in, long length) throws FerryException {
    BytesSource source = new BytesSource(path, in, length, ByteBuffer.allocate(FIRST), length == 0);
    synchronized (source) {
      source.fetch(0, AHEAD);
      if (source.ended) {
        source.facts = source.facts(source.window.position());
      }
    }
    return source;
  }

  private FileFacts facts(long size) {
    return new FileFacts(path.value(), size, FileFacts.UNKNOWN_TIME, false, null);
  }

  /** Whether the first byte is still there. Does not wait for a read. */
  public boolean isRepeatable() {
    return base == 0;
  }

  @Override
  public boolean isReadOnce() {
    return base > 0 || !ended;
  }

  @Override
  public FileFacts facts() {
    return facts;
  }

  @Override
  public void computeWhileReading(Digest.Algorithm algorithm) {
    passing = PassingDigest.of(algorithm);
  }

  @Override
  public synchronized int available(long position, int wanted) throws FerryException {
    fetch(position, wanted);
    return (int) Math.min(wanted, base + window.position() - position);
  }

  /** Has the window contain these bytes, or those up to the end. */
  private void fetch(long position, int wanted) throws FerryException {
    while (!ended && base + window.position() - position < wanted) {
      if (!window.hasRemaining()) {
        makeRoom(position);
      }
      long size = facts.size();
      long left = size == FileFacts.UNKNOWN_SIZE ? AHEAD : size - base - window.position();
      int at = window.arrayOffset() + window.position();
      int n;
      try {
        n = in.read(window.array(), at, (int) Math.min(window.remaining(), left));
      } catch (IOException | RuntimeException e) {
        throw StreamFailure.of(e, path.value());
      }
      if (n < 0 && size != FileFacts.UNKNOWN_SIZE) {
        throw new FerryException(
            ErrorKind.INCOMPLETE,
            "%s: the stream ended after %d of %d bytes"
                .formatted(path, base + window.position(), size));
      }
      window.position(window.position() + Math.max(n, 0));
      ended = n < 0 || base + window.position() == size;
    }
  }

  /** Makes the window larger, or drops what was read before a position. */
  private void makeRoom(long position) {
    window.flip();
    if (window.capacity() < KEPT) {
      window = ByteBuffer.allocate(2 * window.capacity()).put(window);
    } else {
      window.position((int) (position - base)).compact();
      base = position;
    }
  }

  @Override
  public synchronized void readFully(ByteBuffer destination, long position) throws FerryException {
    read(destination, position, passing);
  }

  /**
   * @param digest that of the attempt that reads, which another one may follow while this waits
   */
  private void read(ByteBuffer destination, long position, @Nullable PassingDigest digest)
      throws FerryException {
    int length = destination.remaining();
    if (position < base) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          path + ": its first bytes were already read; open the stream again");
    }
    if (available(position, length) < length) {
      throw new FerryException(ErrorKind.INCOMPLETE, path + ": ends before byte " + position);
    }
    ByteBuffer bytes = window.duplicate().flip().position((int) (position - base));
    destination.put(bytes.limit(bytes.position() + length));
    if (digest != null) {
      digest.add(position, bytes.position(bytes.limit() - length));
    }
  }

  @Override
  public synchronized void readFully(ByteBuffer[] destinations, long position)
      throws FerryException {
    PassingDigest digest = passing;
    long next = position;
    for (ByteBuffer destination : destinations) {
      int length = destination.remaining();
      read(destination, next, digest);
      next += length;
    }
  }

  @Override
  public synchronized int sample(ByteBuffer destination, long position) throws FerryException {
    int length = available(position, destination.remaining());
    ByteBuffer bytes = window.duplicate().flip().position((int) (position - base));
    destination.put(bytes.limit(bytes.position() + length));
    return length;
  }

  @Override
  public void verifyUnchanged() {}

  @Override
  public Digest digest(Digest.Algorithm algorithm) throws FerryException {
    return algorithm.requireGiven(knownDigest(algorithm), path.value());
  }

  /** Returns the digest; null if not all bytes were read. Does not wait for a read. */
  public @Nullable Digest knownDigest(Digest.Algorithm algorithm) {
    return ended ? digestOfRead(algorithm) : null;
  }

  private synchronized @Nullable Digest digestOfRead(Digest.Algorithm algorithm) {
    long size = size();
    PassingDigest digest = passing;
    Digest read = digest == null ? null : digest.of(size);
    if (read == null && base == 0) {
      PassingDigest all = PassingDigest.of(algorithm);
      all.add(0, window.duplicate().flip());
      read = all.of(size);
    }
    return read;
  }

  /** Returns how many bytes were read so far. */
  public synchronized long size() {
    return base + window.position();
  }

  /** Nothing: another attempt may read again. */
  @Override
  public void close() {}
}
