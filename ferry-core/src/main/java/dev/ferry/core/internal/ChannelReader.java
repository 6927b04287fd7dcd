package dev.ferry.core.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;

/** Reads files through one buffer, for digests. One thread at a time. */
public final class ChannelReader {
  private static final int READ_BYTES = 256 * 1024;

  private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);

  /**
   * Passes on the bytes of a file between two positions, or up to the end of the file. Does not
   * move the channel's position.
   *
   * @param bytes receives each buffer, which must not be kept
   * @return the position after the last byte
   */
  public long read(FileChannel channel, long from, long to, Consumer<ByteBuffer> bytes)
      throws IOException {
    long position = from;
    while (position < to) {
      buffer.clear().limit((int) Math.min(READ_BYTES, to - position));
      int n = channel.read(buffer, position);
      if (n < 0) {
        break;
      }
      bytes.accept(buffer.flip());
      position += n;
    }
    return position;
  }
}
