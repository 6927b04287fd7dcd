package dev.ferry.grpc.internal.message;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A received message in the buffers of the transport, detached from its call. Its payload is the
 * chunk, or all bytes of a message that is compressed.
 */
final class DetachedMessage implements ChunkMessage.Payload {
  private final ByteBuffer start;
  private final int header;
  private final int length;
  private @Nullable InputStream owned;

  /**
   * @param owned a stream at the first byte of the message; it supports marks and views
   * @param start a view of the first bytes
   * @param header bytes before the payload, all of them in the first view
   * @param length bytes of the payload
   */
  private DetachedMessage(InputStream owned, ByteBuffer start, int header, int length) {
    this.owned = owned;
    this.start = start;
    this.header = header;
    this.length = length;
  }

  /**
   * Detaches a message that contains only a chunk.
   *
   * @param message the message as the transport gives it
   * @return null if it contains anything else, if the header is not within the first buffer, or if
   *     the transport provides no views; the message can then still be read
   */
  static @Nullable DetachedMessage chunk(InputStream message) throws IOException {
    ByteBuffer start = firstView(message);
    if (start == null) {
      return null;
    }
    int length = message.available();
    int header = WireFormat.chunkHeader(start, length);
    return header < 0 ? null : new DetachedMessage(detach(message), start, header, length - header);
  }

  /**
   * Detaches a message whatever it contains.
   *
   * @param message the message as the transport gives it
   * @return null if the transport provides no views; the message can then still be read
   */
  static @Nullable DetachedMessage whole(InputStream message) throws IOException {
    ByteBuffer start = firstView(message);
    if (start == null) {
      return null;
    }
    int length = message.available();
    return new DetachedMessage(detach(message), start, 0, length);
  }

  private static @Nullable ByteBuffer firstView(InputStream message) {
    return message instanceof HasByteBuffer buffers
            && message instanceof Detachable
            && message instanceof KnownLength
            && message.markSupported()
            && buffers.byteBufferSupported()
        ? buffers.getByteBuffer()
        : null;
  }

  private static InputStream detach(InputStream message) {
    return ((Detachable) message).detach();
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void addViews(List<ByteBuffer> target) {
    InputStream stream = owned;
    if (stream == null) {
      throw new IllegalStateException("released already");
    }
    ByteBuffer first = start.duplicate();
    first.position(first.position() + header);
    if (first.hasRemaining()) {
      target.add(first);
    }
    if (start.remaining() < header + length) {
      addRest(stream, target);
    }
  }

  private void addRest(InputStream stream, List<ByteBuffer> target) {
    try {
      // The mark retains the skipped buffers. Without it, skipping would release them.
      stream.mark(header + length);
      stream.skipNBytes(start.remaining());
      HasByteBuffer buffers = (HasByteBuffer) stream;
      for (long rest = header + length - start.remaining(); rest > 0; ) {
        ByteBuffer view = buffers.getByteBuffer();
        if (view == null || stream.available() == 0) {
          throw new IllegalStateException(rest + " bytes of the message are missing");
        }
        if (view.hasRemaining()) {
          target.add(view);
        }
        // A view is empty if a DATA frame was, as proxies send them. A skip of nothing passes it.
        rest -= stream.skip(view.remaining());
      }
      // Resets the stream so that the views can be obtained again.
      stream.reset();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void release() {
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
