package dev.ferry.grpc.internal.message;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** {@code RentedArray}: chunks in pooled arrays, copied once into the buffer of the transport. */
public final class RentedArrayFormat implements ChunkFormat<RentedArrayFormat.Message> {
  private final ArrayPool pool = new ArrayPool();

  /** A header, a rented array with a chunk, or the failure to read the message. */
  public static final class Message {
    private final @Nullable FilePart header;
    private final @Nullable FerryException failure;
    private byte @Nullable [] array;
    private final int payloadStart;
    private final int end;

    private Message(@Nullable FilePart header, byte @Nullable [] array, int payloadStart, int end) {
      this.header = header;
      this.failure = null;
      this.array = array;
      this.payloadStart = payloadStart;
      this.end = end;
    }

    private Message(FerryException failure) {
      this.header = null;
      this.failure = failure;
      this.payloadStart = 0;
      this.end = 0;
    }

    private byte[] rented() {
      if (array == null) {
        throw new IllegalStateException("the array was given back already");
      }
      return array;
    }
  }

  @Override
  public ChunkMarshaller<Message> marshaller(String method) {
    return new Marshaller(method);
  }

  @Override
  public Message wrap(FilePart part) {
    return new Message(part, null, 0, 0);
  }

  @Override
  public ChunkFeed<Message> feed(
      FileSource source, long from, long to, int chunkSize, boolean batching) {
    return new ReadingFeed<>(this::chunk, source, from, to, chunkSize);
  }

  private Message chunk(FileSource source, long position, int length) throws FerryException {
    int header = WireFormat.headerSize(length);
    byte[] array = pool.rent(header + length);
    Message message = new Message(null, array, header, header + length);
    try {
      source.readFully(ByteBuffer.wrap(array, header, length), position);
    } catch (FerryException e) {
      release(message);
      throw e;
    }
    WireFormat.writeHeader(array, 0, length);
    return message;
  }

  @Override
  public @Nullable FilePart header(Message message, boolean first) throws FerryException {
    if (message.failure != null) {
      throw message.failure;
    }
    return message.header;
  }

  @Override
  public void release(Message message) {
    byte[] array = message.array;
    if (array != null) {
      message.array = null;
      pool.giveBack(array);
    }
  }

  @Override
  public ChunkWriter<Message> writer(FileSink sink, Arrivals arrivals) {
    return new ChunkWriter<>() {
      private long bytes;

      @Override
      public boolean write(Message message) throws FerryException {
        int length = message.end - message.payloadStart;
        bytes += length;
        try {
          sink.write(ByteBuffer.wrap(message.rented(), message.payloadStart, length));
          return true;
        } finally {
          release(message);
        }
      }

      @Override
      public long bytes() {
        return bytes;
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private final class Marshaller implements ChunkMarshaller<Message> {
    private final String method;

    Marshaller(String method) {
      this.method = method;
    }

    @Override
    public InputStream stream(Message message) {
      return message.header == null
          ? new RentedStream(message)
          : new ByteArrayInputStream(message.header.toByteArray());
    }

    @Override
    public Message parse(InputStream stream) {
      try {
        return read(stream, WireFormat.readHeader(stream));
      } catch (IOException | RuntimeException e) {
        return new Message(ChunkMarshaller.failure(method, e));
      }
    }
  }

  /** Copies the rest of a message into an array. */
  Message read(InputStream stream, WireFormat.Header header) throws IOException {
    if (!header.isChunk()) {
      return of(WireFormat.parse(stream, header.bytes(), header.count()));
    }
    // Reads one byte more than announced to detect data after the chunk.
    int start = header.count();
    int end = start + header.payloadLength();
    byte[] array = pool.rent(end + 1);
    System.arraycopy(header.bytes(), 0, array, 0, start);
    Message message = new Message(null, array, start, end);
    try {
      int read = start + stream.readNBytes(array, start, end + 1 - start);
      if (read == end) {
        return message;
      }
      // Not a plain chunk: it has fields of a later version, several chunk fields, or it is
      // truncated.
      Message other = of(WireFormat.parse(stream, array, read));
      release(message);
      return other;
    } catch (IOException | RuntimeException e) {
      release(message);
      throw e;
    }
  }

  private Message of(FilePart part) {
    if (!part.hasChunk()) {
      return wrap(part);
    }
    int length = part.getChunk().size();
    byte[] array = pool.rent(length);
    part.getChunk().copyTo(array, 0);
    return new Message(null, array, 0, length);
  }

  private final class RentedStream extends InputStream implements KnownLength, Drainable {
    private final Message message;
    private int position;

    RentedStream(Message message) {
      this.message = message;
    }

    @Override
    public int available() {
      return message.end - position;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int n = available();
      target.write(message.rented(), position, n);
      position += n;
      return n;
    }

    @Override
    public int read() {
      return available() == 0 ? -1 : message.rented()[position++] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      int n = Math.min(available(), length);
      if (n == 0) {
        return -1;
      }
      System.arraycopy(message.rented(), position, target, offset, n);
      position += n;
      return n;
    }

    @Override
    public void close() {
      position = message.end;
      release(message);
    }
  }
}
