package dev.ferry.core;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port that refuses connections. No other program gets it by chance. One that asks for it by its
 * number, with {@code SO_REUSEADDR} as servers do, can listen on it.
 */
public final class RefusingPort implements AutoCloseable {
  private final Socket bound = new Socket();

  /** Takes a free port of the loopback address. */
  public RefusingPort() throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Takes a port on which nobody listens any more. */
  public RefusingPort(InetSocketAddress address) throws IOException {
    bound.setReuseAddress(true);
    bound.bind(address);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) bound.getLocalSocketAddress();
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
