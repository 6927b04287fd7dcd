package dev.ferry.grpc.internal.message;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a method handles the messages of a file's stream. All forms are the same on the
 * wire: {@code ferry.v1.FilePart}.
 *
 * @param <M> the message object that travels through grpc-java
 */
public interface ChunkCodec<M> {
  /** Turns messages to bytes and back. */
  MethodDescriptor.Marshaller<M> marshaller();

  /** A message that carries facts or an end. */
  M wrap(FilePart part);

  /**
   * The chunks of a file as messages; each owns its buffer until it is sent or {@linkplain #release
   * released}.
   *
   * @param source stays the caller's to close
   * @param chunkSize payload bytes of every message but the last
   * @param batching whether several messages may leave as one, unseen by interceptors and tracers
   */
  ChunkFeed<M> feed(FileSource source, int chunkSize, boolean batching);

  /** Whether the form's transports have a compression; all have gzip. */
  default boolean compresses(Compression.Format format) {
    return format == Compression.Format.GZIP;
  }

  /**
   * The same for a stream that is compressed.
   *
   * @param compression its level is heeded where the form compresses by itself
   * @param onReady runs when a next message may have become possible, on any thread, perhaps during
   *     this very call
   */
  default ChunkFeed<M> compressedFeed(
      FileSource source, int chunkSize, Compression compression, Runnable onReady) {
    return feed(source, chunkSize, false);
  }

  /** Stands for a message that could not be read: {@link #header} fails when it is asked for it. */
  M unreadable(FerryException failure);

  /**
   * The facts or end that a received message carries; null if it carries a chunk.
   *
   * @param first whether it is the first of its stream
   * @throws FerryException if the message is corrupt or {@linkplain #unreadable unreadable}
   */
  @Nullable FilePart header(M message, boolean first) throws FerryException;

  /** Writes the chunks of one stream to a file. */
  ChunkWriter<M> writer(FileSink sink, Arrivals arrivals);

  /** Gives back the buffer of a message that was not sent or not written; a second call is void. */
  void release(M message);

  /** Gives back what the form holds beside messages; streams have ended before. */
  default void close() {}

  /** Hears of chunks that a {@link ChunkWriter} takes its time for; on any thread. */
  interface Arrivals {
    /**
     * One more chunk was taken.
     *
     * @param bytes payload bytes taken so far
     * @throws FerryException to stop the writer
     */
    void taken(long bytes) throws FerryException;

    /**
     * What was taken for a chunk is facts or an end; it comes in its turn.
     *
     * @throws FerryException to stop the writer
     */
    void header(FilePart part) throws FerryException;

    /** The file cannot be written; the writer is still to be closed. Heard at most once. */
    void failed(FerryException failure);
  }

  /**
   * Writes chunks to a file, possibly several at once; for one thread at a time.
   *
   * @param <M> the message object of the form
   */
  interface ChunkWriter<M> extends AutoCloseable {
    /**
     * Takes a chunk over, whether it succeeds or not; its bytes are in the file after {@link
     * #flush} at the latest.
     *
     * @return whether it counts among {@link #bytes} already; else {@link Arrivals#taken} will tell
     */
    boolean write(M message) throws FerryException;

    /** Payload bytes taken so far. */
    long bytes();

    /** Whether {@link #flush} would wait for other threads. */
    default boolean busy() {
      return false;
    }

    /** Writes what was taken over and not yet written. */
    void flush() throws FerryException;

    /** Releases what was not written; may wait for a write that is on its way. */
    @Override
    void close();
  }
}
