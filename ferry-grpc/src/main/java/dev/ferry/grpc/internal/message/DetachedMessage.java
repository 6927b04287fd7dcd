package dev.ferry.grpc.internal.message;

import io.grpc.HasByteBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A received message in the buffers of the transport, detached from its call. */
final class DetachedBuffers {
  private final ByteBuffer start;
  private final int length;
  private @Nullable InputStream owned;

  /**
   * Takes ownership of a message.
   *
   * @param owned a stream at the first byte of the message; it supports marks and views
   * @param start a view of the first bytes
   * @param length the length of the message in bytes
   */
  DetachedBuffers(InputStream owned, ByteBuffer start, int length) {
    this.owned = owned;
    this.start = start;
    this.length = length;
  }

  /** Returns the length of the message in bytes. */
  int length() {
    return length;
  }

  /**
   * Adds views of the message. They are valid until {@link #release}.
   *
   * @param skipped the number of leading bytes to leave out; they must all be in the first view
   */
  void addViews(List<ByteBuffer> target, int skipped) {
    InputStream stream = owned;
    if (stream == null) {
      throw new IllegalStateException("released already");
    }
    ByteBuffer first = start.duplicate();
    first.position(first.position() + skipped);
    if (first.hasRemaining()) {
      target.add(first);
    }
    if (start.remaining() < length) {
      addRest(stream, target);
    }
  }

  private void addRest(InputStream stream, List<ByteBuffer> target) {
    try {
      // The mark retains the skipped buffers. Without it, skipping would release them.
      stream.mark(length);
      stream.skipNBytes(start.remaining());
      HasByteBuffer buffers = (HasByteBuffer) stream;
      for (long rest = length - start.remaining(); rest > 0; ) {
        ByteBuffer view = buffers.getByteBuffer();
        if (view == null || !view.hasRemaining()) {
          throw new IllegalStateException(rest + " bytes of the message are missing");
        }
        target.add(view);
        rest -= stream.skip(view.remaining());
      }
      // Resets the stream so that the views can be obtained again.
      stream.reset();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Releases the buffers. A second call has no effect. */
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
