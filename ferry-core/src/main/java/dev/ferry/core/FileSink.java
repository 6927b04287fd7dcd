package dev.ferry.core;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Receives a file. An existing file of the same name is unchanged until {@link #commit}. {@link
 * #close} without a commit discards everything.
 *
 * <p>Not thread-safe: one thread at a time.
 */
public interface FileSink extends Closeable {
  /**
   * Announces the size of the file, before the first byte is written. The sink then rejects bytes
   * beyond this size. Compressed data may decompress to this size at any ratio.
   *
   * @param size bytes of the unencoded file, from 0
   * @throws FerryException with {@link ErrorKind#TOO_LARGE}, {@link ErrorKind#OUT_OF_SPACE} or
   *     {@link ErrorKind#OVERLOADED} if the sink cannot receive this many bytes
   */
  void expect(long size) throws FerryException;

  /**
   * Checks the ratio between the bytes written and the bytes received, unless the size was
   * announced. Callers that write data that may have been compressed call this after each write.
   *
   * @param arrived bytes received so far, as they were encoded in transit; 0 if unknown
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} if the ratio exceeds {@link
   *     ReceiveLimits#maxExpansion}
   */
  void checkExpansion(long arrived) throws FerryException;

  /**
   * Announces that {@link #commit} will be called with a digest, before the first byte is written.
   * The sink may then compute its own digest during the writes instead of after them: CRC-32C over
   * the bytes that are written, SHA-256 over the bytes that are stored.
   *
   * @param executor runs tasks that read from the disk and compute; {@link #commit} does the work
   *     of a task that the executor rejects
   * @return whether the digest is complete with the last write
   */
  default boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
    return false;
  }

  /** Returns whether {@link #commit} takes long even without a digest. */
  default boolean commitsSlowly() {
    return false;
  }

  /**
   * Returns whether {@link #close} without a commit keeps what was written, so that another sink
   * can continue it; see {@link FileStore#create}.
   */
  default boolean isKept() {
    return false;
  }

  /** Bytes written so far. */
  long written();

  /**
   * Writes all remaining bytes of a buffer.
   *
   * @throws FerryException with {@link ErrorKind#TOO_LARGE}, {@link ErrorKind#OUT_OF_SPACE} or
   *     {@link ErrorKind#OVERLOADED} if a limit is exceeded, or with {@link ErrorKind#INCOMPLETE}
   *     if there are more bytes than announced
   */
  void write(ByteBuffer source) throws FerryException;

  /**
   * Writes all remaining bytes of several buffers in order. A sink of a local file uses gathering
   * writes, with as few system calls as the platform allows.
   *
   * @throws FerryException as {@link #write(ByteBuffer)}
   */
  default void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
    for (int i = offset; i < offset + count; i++) {
      write(sources[i]);
    }
  }

  /**
   * Verifies the received file and gives it its name.
   *
   * @param expectedSize the announced size in bytes; negative if none was announced
   * @param expectedDigest the announced digest, compared with the digest of the sink; null skips
   *     the comparison
   * @return the facts of the new file
   * @throws FerryException with {@link ErrorKind#INCOMPLETE}, {@link ErrorKind#DIGEST_MISMATCH},
   *     {@link ErrorKind#ALREADY_EXISTS} or a failure of the disk; the caller must then close the
   *     sink
   */
  FileFacts commit(long expectedSize, @Nullable Digest expectedDigest) throws FerryException;

  /** Closes the sink. Deletes the received bytes unless they were committed. */
  @Override
  void close() throws FerryException;
}
