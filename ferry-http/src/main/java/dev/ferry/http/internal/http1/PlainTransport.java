package dev.ferry.http.internal.http1;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The bytes of a socket. A blocking channel needs no selector, and its buffers are not copied. */
final class PlainTransport implements BlockingTransport {
  private final SocketChannel channel;

  PlainTransport(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    return channel.read(to);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int written = 0;
    while (from.hasRemaining()) {
      written += channel.write(from);
    }
    return written;
  }

  @Override
  public int readArrived(ByteBuffer to) throws IOException {
    channel.configureBlocking(false);
    int n = channel.read(to);
    channel.configureBlocking(true);
    return n;
  }

  @Override
  public int readWithin(ByteBuffer to, int millis) throws IOException {
    // Only the streams of a channel's socket heed a time limit.
    channel.socket().setSoTimeout(millis);
    try {
      byte[] first = new byte[1];
      int n = channel.socket().getInputStream().read(first);
      if (n < 0) {
        return n;
      }
      to.put(first[0]);
      return 1 + Math.max(0, readArrived(to));
    } catch (SocketTimeoutException e) {
      return 0;
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
