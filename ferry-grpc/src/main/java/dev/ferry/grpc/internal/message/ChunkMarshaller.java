package dev.ferry.grpc.internal.message;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The marshaller of {@link ChunkFormat}, whose {@link #parse} never throws. A message that cannot
 * be read becomes a message for which {@link ChunkFormat#header} throws the failure. Thread-safe.
 *
 * <p>Only grpc-java sees an exception of a marshaller. It would close the server's call without
 * notifying the upload. The upload would keep its file open. If the end of the stream has already
 * arrived, the upload would even commit the file without the message.
 */
public record ChunkMarshaller(
    String method,
    HandOffAllocator allocator,
    List<PrecompressedCodec> codecs,
    MessageDecompressor decompressor)
    implements MethodDescriptor.Marshaller<ChunkMessage> {
  /** Up to this many bytes Netty copies from a stream to a direct buffer without a new array. */
  private static final int COPY_BYTES = 1024;

  @Override
  public InputStream stream(ChunkMessage message) {
    if (message instanceof OutgoingChunks chunks) {
      return chunks;
    }
    if (message instanceof ChunkMessage.CompressedOutgoing compressed) {
      return new PrecompressedStream(compressed, allocator.counters(), decompressor);
    }
    if (message instanceof ChunkMessage.Header header) {
      return new ByteArrayInputStream(header.part().toByteArray());
    }
    throw new IllegalArgumentException("a received message cannot be sent on");
  }

  @Override
  public ChunkMessage parse(InputStream stream) {
    try {
      ChunkMessage received = DetachedMessage.chunk(stream);
      if (received == null) {
        received = compressed(stream);
      }
      if (received == null) {
        received = copied(stream);
        if (received instanceof ChunkMessage.Payload) {
          allocator.counters().copiedIn();
        }
      }
      return received;
    } catch (IOException | RuntimeException e) {
      return new ChunkMessage.Unreadable(failure(method, e));
    }
  }

  /** Returns the message in compressed form; null if it is not compressed or cannot be detached. */
  private ChunkMessage.@Nullable CompressedIncoming compressed(InputStream stream)
      throws IOException {
    codecs.forEach(PrecompressedCodec::forget);
    // grpc-java's wrapper forwards this call to the codec's stream, which then registers itself.
    int ignored = stream.available();
    for (PrecompressedCodec codec : codecs) {
      ChunkMessage.CompressedIncoming taken = codec.takeOffered();
      if (taken != null) {
        return taken;
      }
    }
    return null;
  }

  /** Copies a message of which the transport gives no views. */
  private ChunkMessage copied(InputStream stream) throws IOException {
    WireFormat.Header header = WireFormat.readHeader(stream);
    int start = header.count();
    if (!header.isChunk()) {
      return ChunkMessage.of(WireFormat.parse(stream, header.bytes(), start));
    }
    // Reads one byte more than announced to detect data after the chunk.
    int end = start + header.payloadLength();
    ByteBuf buffer = allocator.directBuffer(end + 1, end + 1);
    boolean kept = false;
    try {
      buffer.writeBytes(header.bytes(), 0, start);
      while (buffer.isWritable()
          && buffer.writeBytes(stream, Math.min(COPY_BYTES, buffer.writableBytes())) >= 0) {
        // Until the end of the stream, or beyond the end of the chunk.
      }
      int read = buffer.readableBytes();
      if (read == end) {
        kept = true;
        return new ChunkMessage.Buffered(buffer, start, header.payloadLength(), false);
      }
      // Not a plain chunk: it has fields of a later version, several chunk fields, or it is
      // truncated.
      return ChunkMessage.of(WireFormat.parse(stream, ByteBufUtil.getBytes(buffer), read));
    } finally {
      if (!kept) {
        buffer.release();
      }
    }
  }

  /**
   * Returns the failure for a message that cannot be read.
   *
   * @param method the full method name
   */
  public static FerryException failure(String method, Exception e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof FerryException known) {
        return known;
      }
    }
    Status status = Status.fromThrowable(e);
    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      // grpc-java reports this for a compressed message above the size limit.
      return new FerryException(ErrorKind.TOO_LARGE, String.valueOf(status.getDescription()), e);
    }
    Throwable cause = e instanceof RuntimeException && e.getCause() != null ? e.getCause() : e;
    return new FerryException(
        ErrorKind.INVALID_REQUEST, method + ": a message cannot be read: " + cause.getMessage(), e);
  }
}
