package dev.ferry.http.internal.http1;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a server sends, which arrives in pieces of given sizes, and then the end. */
final class Arriving implements BlockingTransport {
  private final ByteBuffer bytes;
  private final List<Integer> sizes;
  private int reads;
  private boolean open = true;

  /**
   * @param sizes from 1, used in turn
   */
  Arriving(String text, List<Integer> sizes) {
    bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    this.sizes = sizes;
  }

  @Override
  public int read(ByteBuffer to) {
    if (!bytes.hasRemaining()) {
      return -1;
    }
    int size = sizes.get(reads++ % sizes.size());
    int n = Math.min(Math.min(size, to.remaining()), bytes.remaining());
    to.put(bytes.slice(bytes.position(), n));
    bytes.position(bytes.position() + n);
    return n;
  }

  @Override
  public int readArrived(ByteBuffer to) {
    return 0;
  }

  @Override
  public int readWithin(ByteBuffer to, int millis) {
    return read(to);
  }

  @Override
  public int write(ByteBuffer from) {
    int n = from.remaining();
    from.position(from.limit());
    return n;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }
}
