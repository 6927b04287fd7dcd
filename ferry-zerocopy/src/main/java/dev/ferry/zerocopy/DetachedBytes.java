package dev.ferry.zerocopy;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All bytes of a received message, in the buffers of the transport, detached from its call. It is
 * for marshallers and for codecs that decompress elsewhere. For one thread at a time.
 */
public final class DetachedBytes implements AutoCloseable {
  /** A message in more buffers is not detached: it is more work to keep them than to copy them. */
  private static final int MAX_VIEWS = 512;

  private final int length;
  private final List<ByteBuffer> views;
  private @Nullable InputStream owned;

  private DetachedBytes(InputStream owned, int length, List<ByteBuffer> views) {
    this.owned = owned;
    this.length = length;
    this.views = views;
  }

  /**
   * Detaches a message.
   *
   * @param message the stream that grpc-java gives a marshaller or a codec, at its first byte
   * @return null if the transport gives no views of its buffers, or too many; the message can then
   *     still be read
   * @throws IOException if the stream throws it
   */
  public static @Nullable DetachedBytes of(InputStream message) throws IOException {
    ByteBuffer first = firstView(message);
    if (first == null) {
      return null;
    }
    int length = message.available();
    List<ByteBuffer> views = views(message, first, length);
    return views == null ? null : new DetachedBytes(detach(message), length, views);
  }

  /** Returns a view of the first bytes of a message; null if the transport gives no views. */
  static @Nullable ByteBuffer firstView(InputStream message) {
    return message instanceof HasByteBuffer buffers
            && message instanceof Detachable
            && message instanceof KnownLength
            && message.markSupported()
            && buffers.byteBufferSupported()
        ? buffers.getByteBuffer()
        : null;
  }

  static InputStream detach(InputStream message) {
    return ((Detachable) message).detach();
  }

  /**
   * Returns views of all bytes of a message; null if they are too many. The message stays as it is.
   *
   * @param first the view of its first bytes
   * @param length bytes of the message
   */
  static @Nullable List<ByteBuffer> views(InputStream message, ByteBuffer first, int length)
      throws IOException {
    if (first.remaining() == length) {
      return List.of(first);
    }
    List<ByteBuffer> views = new ArrayList<>(2);
    // The mark retains the skipped buffers. Without it, skipping would release them.
    message.mark(length);
    ByteBuffer view = first;
    int left = length;
    while (true) {
      if (view.hasRemaining()) {
        views.add(view);
      }
      // A view is empty if a DATA frame was, as proxies send them. A skip of nothing passes it.
      left -= (int) message.skip(view.remaining());
      if (left == 0 || views.size() > MAX_VIEWS) {
        break;
      }
      ByteBuffer next = ((HasByteBuffer) message).getByteBuffer();
      if (next == null || message.available() == 0) {
        throw new IllegalStateException(left + " bytes of the message are missing");
      }
      view = next;
    }
    message.reset();
    return views.size() > MAX_VIEWS ? null : views;
  }

  /** Returns the number of bytes. */
  public int length() {
    return length;
  }

  /**
   * Returns views of the bytes, in order. They are valid until {@link #close}; their positions are
   * the user's to move.
   *
   * @throws IllegalStateException if this was closed
   */
  public List<ByteBuffer> buffers() {
    if (owned == null) {
      throw new IllegalStateException("the message was closed already");
    }
    return views;
  }

  /** Releases the buffers. A second call has no effect. */
  @Override
  public void close() {
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
