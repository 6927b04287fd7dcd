package dev.ferry.suites.rival.grpcjava;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.files.v1.FilePart;
import dev.ferry.suites.files.v1.FilesGrpc;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * {@code RentedArray}: each chunk is in an array of a pool. A sender wraps it as the {@code bytes}
 * of a generated message, and grpc-java closes the message's stream after it has copied it. A
 * receiver reads the few bytes before the chunk itself, because the generated code would copy the
 * chunk into a new array. The channel must not retry, because a retry would send an array again.
 */
final class RentedMessages implements ChunkMessages<RentedMessages.Message> {
  private static final int CHUNK_TAG =
      FilePart.CHUNK_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final ArrayPool pool = new ArrayPool();
  private final Marshaller<FilePart> generated =
      FilesGrpc.getDownloadMethod().getResponseMarshaller();

  /** Facts, an end, or the chunk at the beginning of a rented array. For one thread at a time. */
  static final class Message {
    private final @Nullable FilePart header;
    private byte @Nullable [] array;
    private final int length;

    private Message(@Nullable FilePart header, byte @Nullable [] array, int length) {
      this.header = header;
      this.array = array;
      this.length = length;
    }

    private byte[] rented() {
      if (array == null) {
        throw new IllegalStateException("the array was given back already");
      }
      return array;
    }
  }

  @Override
  public Marshaller<Message> marshaller() {
    return new Marshaller<>() {
      @Override
      public InputStream stream(Message message) {
        if (message.header != null) {
          return generated.stream(message.header);
        }
        FilePart part =
            FilePart.newBuilder()
                .setChunk(UnsafeByteOperations.unsafeWrap(message.rented(), 0, message.length))
                .build();
        return new Releasing(generated.stream(part), message);
      }

      @Override
      public Message parse(InputStream stream) {
        try {
          return receive(stream);
        } catch (IOException e) {
          throw Status.INTERNAL
              .withDescription("a message cannot be read: " + e.getMessage())
              .withCause(e)
              .asRuntimeException();
        }
      }
    };
  }

  private Message receive(InputStream stream) throws IOException {
    int tag = stream.read();
    if (tag != CHUNK_TAG) {
      byte[] first = tag < 0 ? new byte[0] : new byte[] {(byte) tag};
      return of(
          FilePart.parseFrom(new SequenceInputStream(new ByteArrayInputStream(first), stream)));
    }
    int length = CodedInputStream.readRawVarint32(stream.read(), stream);
    if (length < 0 || length > TransferOptions.MAX_CHUNK) {
      throw new IOException("a chunk of " + Integer.toUnsignedString(length) + " bytes");
    }
    Message message = new Message(null, pool.rent(length), length);
    if (stream.readNBytes(message.rented(), 0, length) < length || stream.read() >= 0) {
      release(message);
      throw new IOException("it is not a chunk of " + length + " bytes and nothing else");
    }
    return message;
  }

  @Override
  public Message of(FilePart part) {
    return new Message(part, null, 0);
  }

  @Override
  public Message read(FileSource source, long position, int length) throws FerryException {
    Message message = new Message(null, pool.rent(length), length);
    try {
      source.readFully(ByteBuffer.wrap(message.rented(), 0, length), position);
      return message;
    } catch (FerryException e) {
      release(message);
      throw e;
    }
  }

  @Override
  public @Nullable FilePart header(Message message) {
    return message.header;
  }

  @Override
  public void write(Message chunk, FileSink sink) throws FerryException {
    try {
      sink.write(ByteBuffer.wrap(chunk.rented(), 0, chunk.length));
    } finally {
      release(chunk);
    }
  }

  @Override
  public void release(Message message) {
    byte[] array = message.array;
    if (array != null) {
      message.array = null;
      pool.giveBack(array);
    }
  }

  /** The bytes of a message, whose array goes back to the pool when grpc-java has copied them. */
  private final class Releasing extends FilterInputStream implements KnownLength, Drainable {
    private final Message message;

    Releasing(InputStream bytes, Message message) {
      super(bytes);
      this.message = message;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      return ((Drainable) in).drainTo(target);
    }

    @Override
    public void close() throws IOException {
      super.close();
      release(message);
    }
  }
}
