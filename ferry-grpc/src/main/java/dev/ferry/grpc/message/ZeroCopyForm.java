package dev.ferry.grpc.message;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * {@code ZeroCopy}: a chunk is read from the file into the very buffer the transport writes to the
 * socket, and written to the file from the very buffers the transport read from it.
 *
 * <p>Where grpc-java gives no such way - compression, the in-process transport, small merged pieces
 * - the same call copies, and {@link HandOffCounters} says so.
 */
public final class ZeroCopyForm implements PartForm<ZeroCopyMessage> {
  private final HandOffAllocator allocator;
  private final HandOffCounters counters;
  private final RentedArrayForm copying = new RentedArrayForm();
  private final Marshaller marshaller = new Marshaller();

  /** Creates the form for transports whose channels use the allocator. */
  public ZeroCopyForm(HandOffAllocator allocator) {
    this.allocator = allocator;
    this.counters = allocator.counters();
  }

  @Override
  public MethodDescriptor.Marshaller<ZeroCopyMessage> marshaller() {
    return marshaller;
  }

  @Override
  public ZeroCopyMessage wrap(FilePart part) {
    return new ZeroCopyMessage.Header(part);
  }

  @Override
  public ChunkFeed<ZeroCopyMessage> feed(FileSource source, int chunkSize, boolean batching) {
    return batching
        ? new BatchFeed(allocator, source, chunkSize)
        : new ReadingFeed<>(this::chunk, source, chunkSize);
  }

  private ZeroCopyMessage chunk(FileSource source, long position, int length)
      throws FerryException {
    int start = HandOffAllocator.PREFIX + WireFormat.headerSize(length);
    int end = start + length;
    ByteBuf frame = allocator.directBuffer(end, end);
    try {
      source.readFully(frame.internalNioBuffer(start, length), position);
      WireFormat.writeHeader(frame, HandOffAllocator.PREFIX, length);
      return new ZeroCopyMessage.Outgoing(frame, end - HandOffAllocator.PREFIX, 1);
    } catch (FerryException e) {
      frame.release();
      throw e;
    }
  }

  @Override
  public @Nullable FilePart header(ZeroCopyMessage message) {
    return message instanceof ZeroCopyMessage.Header header ? header.part() : null;
  }

  @Override
  public void release(ZeroCopyMessage message) {
    if (message instanceof ZeroCopyMessage.Outgoing outgoing) {
      outgoing.release();
    } else if (message instanceof ZeroCopyMessage.Incoming incoming) {
      incoming.release();
    } else if (message instanceof ZeroCopyMessage.Copied copied) {
      copying.release(copied.message());
    }
  }

  @Override
  public ChunkWriter<ZeroCopyMessage> writer(FileSink sink) {
    return new GatheringWriter(sink, copying, counters);
  }

  private final class Marshaller implements MethodDescriptor.Marshaller<ZeroCopyMessage> {
    @Override
    public InputStream stream(ZeroCopyMessage message) {
      if (message instanceof ZeroCopyMessage.Outgoing outgoing) {
        return new HandOffStream(outgoing, allocator);
      }
      if (message instanceof ZeroCopyMessage.Header header) {
        return new ByteArrayInputStream(header.part().toByteArray());
      }
      throw new IllegalArgumentException("a received message cannot be sent on");
    }

    @Override
    public ZeroCopyMessage parse(InputStream stream) {
      try {
        ZeroCopyMessage.Incoming viewed = view(stream);
        return viewed != null
            ? viewed
            : copied(copying.read(stream, WireFormat.readHeader(stream)));
      } catch (IOException e) {
        throw Status.INTERNAL.withDescription("bad FilePart").withCause(e).asRuntimeException();
      }
    }

    /** The message where it stands, if it is a chunk and the transport lets it stand there. */
    private ZeroCopyMessage.@Nullable Incoming view(InputStream stream) throws IOException {
      if (!(stream instanceof HasByteBuffer buffers)
          || !(stream instanceof Detachable message)
          || !(stream instanceof KnownLength)
          || !stream.markSupported()
          || !buffers.byteBufferSupported()) {
        return null;
      }
      ByteBuffer start = buffers.getByteBuffer();
      return start == null
          ? null
          : ZeroCopyMessage.Incoming.detach(message, start, stream.available());
    }

    private ZeroCopyMessage copied(RentedArrayForm.Message message) {
      FilePart header = copying.header(message);
      if (header != null) {
        return new ZeroCopyMessage.Header(header);
      }
      counters.copiedIn();
      return new ZeroCopyMessage.Copied(message);
    }
  }
}
