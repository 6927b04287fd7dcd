package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.CorruptDataException;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesMessage;
import dev.ferry.zerocopy.DetachedBytes;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of a file's stream. For one thread at a time. */
public sealed interface ChunkMessage
    permits ChunkMessage.CompressedIncoming,
        ChunkMessage.CompressedOutgoing,
        ChunkMessage.Plain,
        ChunkMessage.Unreadable {
  /** Releases the buffers that the message still owns. A second call has no effect. */
  void release();

  /** A message that is not compressed: chunks to send, a received chunk, facts or an end. */
  record Plain(BytesMessage<FilePart> message) implements ChunkMessage {
    /** Returns the facts or the end; null if the message has a chunk. */
    @Nullable FilePart header() {
      return message.hasBytes() ? null : message.rest();
    }

    @Override
    public void release() {
      message.close();
    }
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
    private final int chunkLength;
    private @Nullable ByteBuf compressed;

    /**
     * Takes ownership of compressed bytes.
     *
     * @param decompressedLength decompressed length of the message in bytes
     * @param chunkLength length of its chunk in bytes
     */
    CompressedOutgoing(
        ByteBuf compressed, Compression.Format format, int decompressedLength, int chunkLength) {
      this.compressed = compressed;
      this.format = format;
      this.decompressedLength = decompressedLength;
      this.chunkLength = chunkLength;
    }

    int chunkLength() {
      return chunkLength;
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
  record CompressedIncoming(DetachedBytes compressed, Compression.Format format, long statedLength)
      implements ChunkMessage {
    /** Takes ownership of a message. */
    static CompressedIncoming of(DetachedBytes compressed, Compression.Format format) {
      List<ByteBuffer> views = compressed.buffers();
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
      compressed.close();
    }
  }
}
