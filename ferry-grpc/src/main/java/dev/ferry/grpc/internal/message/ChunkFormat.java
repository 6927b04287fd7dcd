package dev.ferry.grpc.internal.message;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import org.jspecify.annotations.Nullable;

/**
 * How a method represents the messages of a file stream. They are all the same on the wire: {@code
 * ferry.v1.FilePart}.
 *
 * @param <M> the message type that is passed through grpc-java
 */
public interface ChunkFormat<M> {
  /**
   * Returns a marshaller of the messages.
   *
   * @param method the full method name, for failures
   */
  ChunkMarshaller<M> marshaller(String method);

  /** Returns a message that carries facts or an end. */
  M wrap(FilePart part);

  /**
   * Creates a feed of the chunks of a file. Each message owns its buffer until it is sent or
   * {@linkplain #release released}.
   *
   * @param source the file; the caller closes it
   * @param from the first byte to send
   * @param to the byte after the last
   * @param chunkSize payload bytes of every message except the last
   * @param batching whether several messages may be sent as one, invisible to interceptors and
   *     tracers
   */
  ChunkFeed<M> feed(FileSource source, long from, long to, int chunkSize, boolean batching);

  /** Creates a feed of the chunks of a whole file. */
  default ChunkFeed<M> feed(FileSource source, int chunkSize, boolean batching) {
    return feed(source, 0, source.facts().size(), chunkSize, batching);
  }

  /** Returns whether the transports of this format support a compression. All support gzip. */
  default boolean compresses(Compression.Format compression) {
    return compression == Compression.Format.GZIP;
  }

  /**
   * Creates a feed of the chunks of a file for a stream with compression.
   *
   * @param batching as for {@link #feed}, of messages that are not compressed
   * @param compression the compression; its level is used if the format itself compresses
   * @param onReady runs when a next message may be available, on any thread, possibly during this
   *     call
   */
  default ChunkFeed<M> compressedFeed(
      FileSource source,
      int chunkSize,
      boolean batching,
      Compression compression,
      Runnable onReady) {
    return feed(source, chunkSize, false);
  }

  /** Returns whether a message of a stream with compression is compressed. */
  default boolean compressed(M message) {
    return true;
  }

  /**
   * Returns the facts or end of a received message; null if it carries a chunk.
   *
   * @param first whether the message is the first of its stream
   * @throws FerryException if the message is corrupt or could not be read
   */
  @Nullable FilePart header(M message, boolean first) throws FerryException;

  /** Creates a writer that writes the chunks of one stream to a file. */
  ChunkWriter<M> writer(FileSink sink, Arrivals arrivals);

  /**
   * Releases the buffer of a message that was not sent or not written. A second call has no effect.
   */
  void release(M message);

  /** Releases the resources that the format holds beyond messages. All streams must have ended. */
  default void close() {}

  /**
   * Receives the results of chunks that a {@link ChunkWriter} processes asynchronously, on any
   * thread.
   */
  interface Arrivals {
    /**
     * Reports that one more chunk was processed.
     *
     * @param bytes payload bytes processed so far
     * @throws FerryException to stop the writer
     */
    void taken(long bytes) throws FerryException;

    /**
     * Reports, in stream order, a message that turned out to be facts or an end instead of a chunk.
     *
     * @throws FerryException to stop the writer
     */
    void header(FilePart part) throws FerryException;

    /**
     * Reports that the file cannot be written. The writer must still be closed. Called at most
     * once.
     */
    void failed(FerryException failure);
  }

  /**
   * Writes chunks to a file, possibly several at once. For one thread at a time.
   *
   * @param <M> the message type of the format
   */
  interface ChunkWriter<M> extends AutoCloseable {
    /**
     * Takes ownership of a chunk, even if this method throws. Its bytes are in the file after
     * {@link #flush} at the latest.
     *
     * @return true if {@link #bytes} already includes the chunk; false if {@link Arrivals#taken}
     *     will report it
     */
    boolean write(M message) throws FerryException;

    /** Returns the payload bytes processed so far. */
    long bytes();

    /** Returns whether {@link #flush} would wait for other threads. */
    default boolean busy() {
      return false;
    }

    /** Writes all chunks that are not written yet. */
    void flush() throws FerryException;

    /** Releases unwritten chunks. May wait for a write in progress. */
    @Override
    void close();
  }
}
