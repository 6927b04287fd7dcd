package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.suites.files.v1.FilePart;
import io.grpc.MethodDescriptor.Marshaller;
import org.jspecify.annotations.Nullable;

/**
 * How a program holds the messages of a file's stream: the difference between the rows {@code
 * Default} and {@code RentedArray}. Both send and read the same bytes. Thread-safe.
 *
 * @param <M> a message
 */
interface ChunkMessages<M> {
  /** Returns what grpc-java writes and reads messages with. */
  Marshaller<M> marshaller();

  /** Returns a message with facts or an end. */
  M of(FilePart part);

  /** Reads a chunk of a file into a new message. */
  M read(FileSource source, long position, int length) throws FerryException;

  /** Returns the facts or the end that a message contains; null if it is a chunk. */
  @Nullable FilePart header(M message);

  /** Writes a received chunk to a file, and releases it. */
  void write(M chunk, FileSink sink) throws FerryException;

  /** Releases a message that was received and is not written, or that could not be sent. */
  void release(M message);
}
