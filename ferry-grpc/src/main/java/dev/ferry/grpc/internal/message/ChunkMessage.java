package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.CorruptDataException;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FilePart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of a file's stream. For one thread at a time. */
public sealed interface ChunkMessage
    permits OutgoingChunks,
        ChunkMessage.CompressedIncoming,
        ChunkMessage.CompressedOutgoing,
        ChunkMessage.Header,
        ChunkMessage.Payload,
        ChunkMessage.Unreadable {
  /** Releases the buffers that the message still owns. A second call has no effect. */
  void release();

  /** A received chunk that is written to the file from its own buffers. */
  sealed interface Payload extends ChunkMessage permits DetachedMessage, Buffered {
    /** Returns the length in bytes. */
    int length();

    /** Adds views of the bytes. They are valid until {@link #release}. */
    void addViews(List<ByteBuffer> target);
  }

  /** Facts or an end as a generated protobuf message. */
  record Header(FilePart part) implements ChunkMessage {
    @Override
    public void release() {}
  }

  /** A placeholder for a message that could not be read. */
  record Unreadable(FerryException failure) implements ChunkMessage {
    @Override
    public void release() {}
  }

  /** A chunk to send as a compressed message. */
  final class CompressedOutgoing implements ChunkMessage {
    private final Compression.Format format;
    private final int decompressedLength;
    private @Nullable ByteBuf compressed;

    /**
     * Takes ownership of compressed bytes.
     *
     * @param decompressedLength decompressed length of the message in bytes
     */
    CompressedOutgoing(ByteBuf compressed, Compression.Format format, int decompressedLength) {
      this.compressed = compressed;
      this.format = format;
      this.decompressedLength = decompressedLength;
    }

    int decompressedLength() {
      return decompressedLength;
    }

    Compression.Format format() {
      return format;
    }

    /**
     * Returns the compressed bytes, which this message still owns; null after their ownership was
     * transferred.
     */
    @Nullable ByteBuf compressed() {
      return compressed;
    }

    /** Transfers ownership of the bytes. The new owner releases them. */
    void givenAway() {
      compressed = null;
    }

    @Override
    public void release() {
      ByteBuf owned = compressed;
      if (owned != null) {
        compressed = null;
        owned.release();
      }
    }
  }

  /**
   * A received message in compressed form.
   *
   * @param statedLength the decompressed size in bytes that the message states, not verified
   */
  record CompressedIncoming(
      DetachedMessage compressed, Compression.Format format, long statedLength)
      implements ChunkMessage {
    /** Takes ownership of a message. */
    static CompressedIncoming of(DetachedMessage compressed, Compression.Format format) {
      List<ByteBuffer> views = new ArrayList<>();
      compressed.addViews(views);
      return new CompressedIncoming(
          compressed,
          format,
          format == Compression.Format.GZIP ? gzipLength(views) : zstdLength(views));
    }

    /**
     * Reads the uncompressed length from the end of the last gzip member, little-endian (RFC 1952).
     */
    private static long gzipLength(List<ByteBuffer> views) {
      long length = 0;
      int bytes = 0;
      for (int i = views.size() - 1; i >= 0; i--) {
        ByteBuffer view = views.get(i);
        for (int at = view.limit() - 1; at >= view.position() && bytes < Integer.BYTES; at--) {
          length = length << Byte.SIZE | view.get(at) & 0xff;
          bytes++;
        }
      }
      return length;
    }

    /**
     * Reads the uncompressed length from the header of a zstd frame, if it is present (RFC 8878).
     */
    private static long zstdLength(List<ByteBuffer> views) {
      try {
        return views.isEmpty()
            ? 0
            : CompressionCodec.ZSTD.decompressedSize(views.get(0)).orElse(Limits.MAX_MESSAGE);
      } catch (CorruptDataException e) {
        // The decompression reports the error, or the size is behind the first view.
        return Limits.MAX_MESSAGE;
      }
    }

    @Override
    public void release() {
      compressed.release();
    }
  }

  /** Returns a received message that the generated code has parsed. */
  static ChunkMessage of(FilePart part) {
    if (!part.hasChunk()) {
      return new Header(part);
    }
    ByteBuf copy = Unpooled.wrappedBuffer(part.getChunk().toByteArray());
    return new Buffered(copy, 0, copy.readableBytes(), false);
  }

  /** A received chunk, decompressed or copied into a buffer of its own. */
  final class Buffered implements Payload {
    private final ByteBuf buffer;
    private final int start;
    private final int length;
    private final boolean decompressed;
    private boolean released;

    /** Takes a buffer over, in which the payload has a place. */
    Buffered(ByteBuf buffer, int start, int length, boolean decompressed) {
      this.buffer = buffer;
      this.start = start;
      this.length = length;
      this.decompressed = decompressed;
    }

    /** Returns whether it was decompressed from the buffers in which it arrived. */
    boolean decompressed() {
      return decompressed;
    }

    ByteBuf buffer() {
      return buffer;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void addViews(List<ByteBuffer> target) {
      if (length > 0) {
        target.add(buffer.nioBuffer(start, length));
      }
    }

    @Override
    public void release() {
      if (!released) {
        released = true;
        buffer.release();
      }
    }
  }
}
