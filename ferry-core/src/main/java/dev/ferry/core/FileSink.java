package dev.ferry.core;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being received. Until {@link #commit} what had its name before is untouched;
 * {@link #close} without a commit leaves nothing behind.
 *
 * <p>For one thread at a time.
 */
public interface FileSink extends Closeable {
  /**
   * Says how many bytes will come, before the first is written: from then on more are refused, and
   * compressed ones may decompress to as many.
   *
   * @param size bytes of the unencoded file, from 0
   * @throws FerryException with {@link ErrorKind#TOO_LARGE}, {@link ErrorKind#OUT_OF_SPACE} or
   *     {@link ErrorKind#OVERLOADED} where so many cannot be taken
   */
  void expect(long size) throws FerryException;

  /**
   * Checks that the file has not become out of proportion to what was sent of it, unless its size
   * was announced. For whoever writes what may have been compressed, after writing some of it.
   *
   * @param arrived bytes that have arrived so far, as they were sent; 0 where nobody knows
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} where it has
   */
  void checkExpansion(long arrived) throws FerryException;

  /**
   * Says that {@link #commit} will be given a digest, before the first byte is written: a file then
   * computes its own while it is written, and not after.
   *
   * @param executor for tasks that read from the disk and compute; one it does not take is done by
   *     {@link #commit}
   */
  default void expectDigest(Executor executor) {}

  /** Bytes written so far. */
  long written();

  /**
   * Writes all that remains of a buffer.
   *
   * @throws FerryException with {@link ErrorKind#TOO_LARGE}, {@link ErrorKind#OUT_OF_SPACE} or
   *     {@link ErrorKind#OVERLOADED} past what may be taken, with {@link ErrorKind#INCOMPLETE} past
   *     what was announced
   */
  void write(ByteBuffer source) throws FerryException;

  /**
   * Writes all that remains of several buffers, in their order; to a file with as few system calls
   * as the platform allows (a gathering write).
   *
   * @throws FerryException as {@link #write(ByteBuffer)}
   */
  void write(ByteBuffer[] sources, int offset, int count) throws FerryException;

  /**
   * Checks what was received and gives it its name.
   *
   * @param expectedSize the announced size in bytes; negative when none was announced
   * @param expectedDigest the announced digest, compared with what is kept; null skips the check
   *     and the time it takes
   * @return the facts of the new file
   * @throws FerryException with {@link ErrorKind#INCOMPLETE}, {@link ErrorKind#DIGEST_MISMATCH},
   *     {@link ErrorKind#ALREADY_EXISTS} or a failure of the disk; the sink is then to be closed
   */
  FileFacts commit(long expectedSize, @Nullable Sha256 expectedDigest) throws FerryException;

  /** Closes the sink; unless it was committed, what was received is deleted. */
  @Override
  void close() throws FerryException;
}
