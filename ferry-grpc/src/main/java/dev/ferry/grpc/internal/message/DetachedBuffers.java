package dev.ferry.grpc.internal.message;

import io.grpc.HasByteBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A received message in the transport's own buffers, detached from its call. */
final class DetachedBuffers {
  private final ByteBuffer start;
  private final int length;
  private @Nullable InputStream owned;

  /**
   * Takes a message over.
   *
   * @param owned stands at its first byte, supports marks and views
   * @param start view of the first bytes
   * @param length bytes of the message
   */
  DetachedBuffers(InputStream owned, ByteBuffer start, int length) {
    this.owned = owned;
    this.start = start;
    this.length = length;
  }

  /** Bytes of the message. */
  int length() {
    return length;
  }

  /**
   * Adds views of the message, valid until {@link #release}.
   *
   * @param skipped bytes at its beginning to leave out; they stand in the first view
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
      // A mark keeps buffers that were skipped; without it skipping would release them.
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
      // So that the views can be had again.
      stream.reset();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives the buffers back; a second call is void. */
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
