package dev.ferry.grpc.message;

import dev.ferry.contract.v1.FilePart;
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
public interface PartForm<M> {
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

  /** The facts or end that a received message carries; null if it carries a chunk. */
  @Nullable FilePart header(M message);

  /** Writes the chunks of one stream to a file. */
  ChunkWriter<M> writer(FileSink sink);

  /** Gives back the buffer of a message that was not sent or not written; a second call is void. */
  void release(M message);

  /**
   * Writes chunks to a file, possibly several at once; for one thread at a time.
   *
   * @param <M> the message object of the form
   */
  interface ChunkWriter<M> extends AutoCloseable {
    /** Takes a chunk over; its bytes are in the file after {@link #flush} at the latest. */
    void write(M message) throws FerryException;

    /** Payload bytes taken over so far. */
    long bytes();

    /** Writes what was taken over and not yet written. */
    void flush() throws FerryException;

    /** Releases what was not written. */
    @Override
    void close();
  }
}
