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

/** A message of the {@code ZeroCopy} method; for one thread at a time. */
public sealed interface ZeroCopyMessage {
  /** Gives the buffers back that the message still owns; a second call is void. */
  void release();

  /** Facts or an end, in protobuf's own form. */
  record Header(FilePart part) implements ZeroCopyMessage {
    @Override
    public void release() {}
  }

  /** Stands for a message that could not be read. */
  record Unreadable(FerryException failure) implements ZeroCopyMessage {
    @Override
    public void release() {}
  }

  /** A chunk that arrived on a way that allows no view, in an array rented from a form. */
  record Copied(RentedArrayCodec.Message message, RentedArrayCodec form)
      implements ZeroCopyMessage {
    @Override
    public void release() {
      form.release(message);
    }
  }

  /**
   * Chunks to send, as they stand on the wire, but for the first five bytes: those are left for the
   * framer's prefix. The chunks behind the first are whole messages already.
   */
  final class Outgoing implements ZeroCopyMessage {
    private final int firstLength;
    private final int messages;
    private @Nullable ByteBuf frame;

    /**
     * Takes a frame over.
     *
     * @param firstLength bytes of the first message, without its prefix
     * @param messages how many there are, at least 1
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

    /** The frame, still owned by this message; null once it was given away. */
    @Nullable ByteBuf frame() {
      return frame;
    }

    /** Gives the frame away: its new owner releases it. */
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

  /** A chunk to send, as a compressed message. */
  final class CompressedOutgoing implements ZeroCopyMessage {
    private final Compression.Format format;
    private final int decompressedLength;
    private @Nullable ByteBuf compressed;

    /**
     * Takes compressed bytes over.
     *
     * @param decompressedLength bytes of the message
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

    /** The compressed bytes, still owned by this message; null once they were given away. */
    @Nullable ByteBuf compressed() {
      return compressed;
    }

    /** Gives the bytes away: their new owner releases them. */
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

  /** A received chunk: the transport's own buffers, detached from the call. */
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
     * Takes a message over if it is a chunk and nothing else, and its header stands in one piece.
     *
     * @param start view of the message's first bytes
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
   * A received message as it was compressed: the transport's own buffers, detached from the call.
   */
  final class CompressedIncoming implements ZeroCopyMessage {
    private final DetachedBuffers detached;
    private final Compression.Format format;
    private final long statedLength;

    /** Takes a message over. */
    CompressedIncoming(DetachedBuffers detached, Compression.Format format) {
      this.detached = detached;
      this.format = format;
      List<ByteBuffer> views = new ArrayList<>();
      detached.addViews(views, 0);
      this.statedLength = format == Compression.Format.GZIP ? gzipLength(views) : zstdLength(views);
    }

    /** A gzip member ends with the length of what was compressed, little-endian (RFC 1952). */
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

    /** A zstd frame begins with it, where it says it at all (RFC 8878). */
    private static long zstdLength(List<ByteBuffer> views) {
      try {
        return views.isEmpty()
            ? 0
            : CompressionCodec.ZSTD.decompressedSize(views.get(0)).orElse(Limits.MAX_MESSAGE);
      } catch (CorruptDataException e) {
        // Whoever decompresses it will say so.
        return 0;
      }
    }

    /** Bytes the message says it decompresses to, which nobody has checked. */
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
