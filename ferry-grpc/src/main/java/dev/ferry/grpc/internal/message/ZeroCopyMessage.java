package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.CorruptDataException;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import io.grpc.Detachable;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of the {@code ZeroCopy} method. For one thread at a time. */
public sealed interface ZeroCopyMessage {
  /** Releases the buffers that the message still owns. A second call has no effect. */
  void release();

  /** Facts or an end as a generated protobuf message. */
  record Header(FilePart part) implements ZeroCopyMessage {
    @Override
    public void release() {}
  }

  /** A placeholder for a message that could not be read. */
  record Unreadable(FerryException failure) implements ZeroCopyMessage {
    @Override
    public void release() {}
  }

  /** A chunk that arrived without buffer views, in an array rented from a codec. */
  record Copied(RentedArrayCodec.Message message, RentedArrayCodec codec)
      implements ZeroCopyMessage {
    @Override
    public void release() {
      codec.release(message);
    }
  }

  /**
   * Chunks to send, in wire format. The first five bytes are reserved for the framer's prefix. The
   * chunks after the first are complete messages including their prefix.
   */
  final class Outgoing implements ZeroCopyMessage {
    private final int firstLength;
    private final int messages;
    private @Nullable ByteBuf frame;

    /**
     * Takes ownership of a frame.
     *
     * @param firstLength bytes of the first message, without its prefix
     * @param messages the number of messages, at least 1
     */
    Outgoing(ByteBuf frame, int firstLength, int messages) {
      this.frame = frame;
      this.firstLength = firstLength;
      this.messages = messages;
    }

    int firstLength() {
      return firstLength;
    }

    int messages() {
      return messages;
    }

    /**
     * Returns the frame, which this message still owns; null after its ownership was transferred.
     */
    @Nullable ByteBuf frame() {
      return frame;
    }

    /** Transfers ownership of the frame. The new owner releases it. */
    void givenAway() {
      frame = null;
    }

    @Override
    public void release() {
      ByteBuf owned = frame;
      if (owned != null) {
        frame = null;
        owned.release();
      }
    }
  }

  /** A chunk to send as a compressed message. */
  final class CompressedOutgoing implements ZeroCopyMessage {
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

  /** A received chunk in the buffers of the transport, detached from the call. */
  final class Incoming implements ZeroCopyMessage, Piece {
    private final int header;
    private final int length;
    private final DetachedBuffers detached;

    private Incoming(DetachedBuffers detached, int header, int length) {
      this.detached = detached;
      this.header = header;
      this.length = length;
    }

    /**
     * Detaches and returns a message if it contains only a chunk and its header lies within the
     * first view; otherwise returns null.
     *
     * @param start a view of the first bytes of the message
     * @param length bytes of the message
     */
    static @Nullable Incoming detach(Detachable message, ByteBuffer start, int length) {
      int header = WireFormat.chunkHeader(start, length);
      return header < 0
          ? null
          : new Incoming(
              new DetachedBuffers(message.detach(), start, length), header, length - header);
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void addViews(List<ByteBuffer> target) {
      detached.addViews(target, header);
    }

    @Override
    public void release() {
      detached.release();
    }
  }

  /**
   * A received message in compressed form, in the buffers of the transport, detached from the call.
   */
  final class CompressedIncoming implements ZeroCopyMessage {
    private final DetachedBuffers detached;
    private final Compression.Format format;
    private final long statedLength;

    /** Takes ownership of a message. */
    CompressedIncoming(DetachedBuffers detached, Compression.Format format) {
      this.detached = detached;
      this.format = format;
      List<ByteBuffer> views = new ArrayList<>();
      detached.addViews(views, 0);
      this.statedLength = format == Compression.Format.GZIP ? gzipLength(views) : zstdLength(views);
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
        // The decompression reports the error.
        return 0;
      }
    }

    /**
     * Returns the decompressed size in bytes that the message states. The value is not verified.
     */
    long statedLength() {
      return statedLength;
    }

    Compression.Format format() {
      return format;
    }

    DetachedBuffers detached() {
      return detached;
    }

    @Override
    public void release() {
      detached.release();
    }
  }

  /** A received chunk, decompressed into a buffer of its own. */
  final class Decompressed implements ZeroCopyMessage, Piece {
    private final ByteBuf buffer;
    private final int start;
    private final int length;
    private boolean released;

    /** Takes a buffer over, in which the payload has a place. */
    Decompressed(ByteBuf buffer, int start, int length) {
      this.buffer = buffer;
      this.start = start;
      this.length = length;
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
