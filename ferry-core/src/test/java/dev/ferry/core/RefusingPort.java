package dev.ferry.core;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A port that refuses connections. No other program gets it by chance. One that asks for it by its
 * number, with {@code SO_REUSEADDR} as servers do, can listen on it.
 */
public final class RefusingPort implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Socket bound;

  /** Takes a free port of the loopback address. */
  public RefusingPort() throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /**
   * Takes a port on which nobody listens any more. Waits for processes that were started while
   * somebody did: they have the listening socket until they close what they inherited.
   */
  public RefusingPort(InetSocketAddress address) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    Socket socket = bind(address);
    while (socket == null) {
      if (System.nanoTime() > end) {
        throw new BindException(address + " is still in use");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      socket = bind(address);
    }
    bound = socket;
  }

  /** Returns null if the address is in use. */
  private static @Nullable Socket bind(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address);
      return socket;
    } catch (BindException e) {
      socket.close();
      return null;
    }
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) bound.getLocalSocketAddress();
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
