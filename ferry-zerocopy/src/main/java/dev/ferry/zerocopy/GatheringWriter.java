package dev.ferry.zerocopy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the bytes of received messages, many messages with one call. Writes of less than 64 KiB
 * cost more than the network, and above 256 KiB nothing is gained. For one thread at a time.
 *
 * @param <E> the exception of a failed write
 */
public final class GatheringWriter<E extends Exception> implements AutoCloseable {
  private static final int GATHER_BYTES = 256 * 1024;

  /** What a message is counted with at least: an empty one may retain a whole read buffer. */
  private static final int MIN_COST = 4 * 1024;

  /** Maximum number of buffers per write, below the limit of 1024 of writev(2) (IOV_MAX). */
  private static final int GATHER_BUFFERS = 512;

  private final Target<E> target;
  private final List<BytesMessage<?>> held = new ArrayList<>();
  private final List<ByteBuffer> views = new ArrayList<>();
  private ByteBuffer[] batch = new ByteBuffer[32];
  private int heldCost;
  private long bytes;

  /**
   * Takes the bytes.
   *
   * @param <E> the exception of a failure
   */
  @FunctionalInterface
  public interface Target<E extends Exception> {
    /**
     * Writes all bytes of buffers, in order. The buffers are not used after the call.
     *
     * @param offset the first buffer
     * @param length the number of buffers
     * @throws E if they cannot be written
     */
    void write(ByteBuffer[] buffers, int offset, int length) throws E;
  }

  /** Creates a writer. Nothing closes the target. */
  public GatheringWriter(Target<E> target) {
    this.target = target;
  }

  /**
   * Returns a writer to a channel in blocking mode, which the caller closes after {@link #flush}.
   */
  public static GatheringWriter<IOException> to(GatheringByteChannel channel) {
    return new GatheringWriter<>(
        (buffers, offset, length) -> writeFully(channel, buffers, offset, length));
  }

  static void writeFully(GatheringByteChannel channel, ByteBuffer[] buffers, int offset, int length)
      throws IOException {
    int first = offset;
    int end = offset + length;
    while (first < end) {
      if (buffers[first].hasRemaining()) {
        long ignored = channel.write(buffers, first, end - first);
      } else {
        first++;
      }
    }
  }

  /**
   * Takes ownership of a message, also if this method throws. Its bytes are written after {@link
   * #flush} at the latest.
   *
   * @throws E if the target throws it
   */
  public void write(BytesMessage<?> message) throws E {
    held.add(message);
    if (message instanceof IncomingMessage<?> received) {
      received.addViews(views);
    } else {
      views.addAll(message.buffers());
    }
    heldCost += Math.max(message.length(), MIN_COST);
    bytes += message.length();
    if (heldCost >= GATHER_BYTES || views.size() >= GATHER_BUFFERS) {
      flush();
    }
  }

  /**
   * Writes all that is not written yet.
   *
   * @throws E if the target throws it
   */
  public void flush() throws E {
    if (views.isEmpty()) {
      close();
      return;
    }
    batch = views.toArray(batch);
    try {
      target.write(batch, 0, views.size());
    } finally {
      close();
    }
  }

  /** Returns the bytes of the field in all messages so far. */
  public long bytes() {
    return bytes;
  }

  /** Releases messages that are not written. The writer can still be used. */
  @Override
  public void close() {
    views.clear();
    heldCost = 0;
    held.forEach(BytesMessage::close);
    held.clear();
  }
}
