package dev.ferry.grpc.message;

import dev.ferry.contract.v1.FilePart;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of the {@code ZeroCopy} method; for one thread at a time. */
public sealed interface ZeroCopyMessage {
  /** Facts or an end, in protobuf's own form. */
  record Header(FilePart part) implements ZeroCopyMessage {}

  /** A chunk that arrived on a way that allows no view, in a rented array. */
  record Copied(RentedArrayForm.Message message) implements ZeroCopyMessage {}

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

    void release() {
      ByteBuf owned = frame;
      if (owned != null) {
        frame = null;
        owned.release();
      }
    }
  }

  /** A received chunk: the transport's own buffers, detached from the call. */
  final class Incoming implements ZeroCopyMessage {
    private final int header;
    private final int length;
    private final ByteBuffer start;
    private @Nullable InputStream owned;

    private Incoming(InputStream owned, ByteBuffer start, int header, int length) {
      this.owned = owned;
      this.start = start;
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
      return header < 0 ? null : new Incoming(message.detach(), start, header, length - header);
    }

    int length() {
      return length;
    }

    /** Adds views of the payload, valid until {@link #release}. */
    void addViews(List<ByteBuffer> target) {
      InputStream stream = owned;
      if (stream == null) {
        throw new IllegalStateException("released already");
      }
      ByteBuffer payload = start.duplicate();
      payload.position(payload.position() + header);
      if (payload.hasRemaining()) {
        target.add(payload);
      }
      if (payload.remaining() < length) {
        addRest(stream, target, length - payload.remaining());
      }
    }

    private void addRest(InputStream stream, List<ByteBuffer> target, int bytes) {
      try {
        // A mark keeps buffers that were skipped; without it skipping would release them.
        stream.mark(header + length);
        stream.skipNBytes(header + length - bytes);
        HasByteBuffer buffers = (HasByteBuffer) stream;
        for (long rest = bytes; rest > 0; ) {
          ByteBuffer view = buffers.getByteBuffer();
          if (view == null || !view.hasRemaining()) {
            throw new IllegalStateException(rest + " bytes of the message are missing");
          }
          target.add(view);
          rest -= stream.skip(view.remaining());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void release() {
      InputStream stream = owned;
      if (stream != null) {
        owned = null;
        try {
          stream.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
