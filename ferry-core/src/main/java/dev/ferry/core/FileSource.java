package dev.ferry.core;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file open for reading, with the facts it had when it was opened.
 *
 * <p>{@link #readFully(ByteBuffer, long)} reads at a position, so several threads may call it at
 * the same time. If the file shrinks or is rewritten meanwhile, reads or {@link #verifyUnchanged}
 * fail with {@link ErrorKind#FILE_CHANGED}.
 *
 * <p>Reads block: on the disk, or on a network if the store {@linkplain FileStore#isRemote is
 * remote}.
 */
public interface FileSource extends Closeable {
  /** Opens a local file. The last segment of its path becomes the name in its facts. */
  static LocalFileSource open(Path file) throws FerryException {
    return LocalFileSource.open(file);
  }

  /**
   * Opens a local file under a given name.
   *
   * @param name the name in its facts and in messages
   * @throws FerryException with {@link ErrorKind#NOT_FOUND}, {@link ErrorKind#PERMISSION_DENIED},
   *     or {@link ErrorKind#INVALID_PATH} if it is not a regular file
   */
  static LocalFileSource open(Path file, String name) throws FerryException {
    return LocalFileSource.open(file, name);
  }

  /** The facts of the file when it was opened. */
  FileFacts facts();

  /**
   * The open channel of a local file, for {@code sendfile}; null if the file is elsewhere. Callers
   * must use positional operations only and must not close it.
   */
  default @Nullable FileChannel channel() {
    return null;
  }

  /**
   * Whether the bytes can be read once only, in order, as those of a stream. The size may then be
   * {@link FileFacts#UNKNOWN_SIZE}, and a digest is known only after the last byte was read.
   */
  default boolean isReadOnce() {
    return false;
  }

  /**
   * Returns how many bytes there are from a position on: as many as are wanted, or fewer at the end
   * of the file. If the size is not known, this waits for them.
   *
   * @param position at most the size of the file
   */
  default int available(long position, int wanted) throws FerryException {
    return (int) Math.min(wanted, facts().size() - position);
  }

  /**
   * Announces which part of the file will be read next, in order. A source that is not local then
   * reads ahead, from here on and no further. Without this call, it reads no more than it is asked
   * for.
   *
   * @param from the first byte, from 0
   * @param to the byte after the last one, at most the size of the file
   */
  default void readAhead(long from, long to) {}

  /**
   * Computes the digest of all bytes that {@code readFully} reads from now on, on the thread that
   * reads. If these are the whole file, {@link #digest} returns it, and {@link #verifyUnchanged}
   * passes it on to whoever keeps digests. Call this before the first read.
   *
   * @param algorithm CRC-32C takes the parts of the file in any order, SHA-256 only from the first
   *     byte to the last
   */
  void computeWhileReading(Digest.Algorithm algorithm);

  /**
   * Fills the remaining space of a buffer from a position in the file.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} if the file ends before the buffer
   *     is full
   */
  void readFully(ByteBuffer destination, long position) throws FerryException;

  /**
   * Fills buffers in order from a position in the file. Only one thread at a time may call this.
   *
   * @param destinations buffers at position 0
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} if the file ends before the buffers
   *     are full
   */
  void readFully(ByteBuffer[] destinations, long position) throws FerryException;

  /**
   * Reads some bytes that do not count for {@link #computeWhileReading}.
   *
   * @return bytes read; less than the buffer has room for if the file ends before
   */
  int sample(ByteBuffer destination, long position) throws FerryException;

  /**
   * Checks that the file has not changed since it was opened. Call this after the last read.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} if it has changed
   */
  void verifyUnchanged() throws FerryException;

  /**
   * Computes a digest of the whole file. Blocks until the file has been read, unless all of it was
   * read after {@link #computeWhileReading} of this algorithm.
   */
  Digest digest(Digest.Algorithm algorithm) throws FerryException;

  @Override
  void close() throws FerryException;
}
