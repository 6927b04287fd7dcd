package dev.ferry.wire.internal.servers;

import dev.ferry.core.Outage;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the first of the addresses of a host that takes a connection. After a refusal the
 * next address is tried at once, and beside one that says nothing after a quarter of a second
 * ("Happy Eyeballs", RFC 8305). For one thread, but any thread may close it, which ends the
 * attempt.
 */
public final class Connecting implements Closeable {
  /** How long an address is alone. */
  private static final Duration STAGGER = Duration.ofMillis(250);

  // The lock of this object guards the following.
  private final Set<Closeable> open = new HashSet<>();
  private boolean closed;

  /**
   * Connects.
   *
   * @param addresses resolved; one at least
   * @param timeout for all of them together
   * @return a blocking channel, which the caller closes
   * @throws AsynchronousCloseException if another thread has closed this
   * @throws IOException the failure of one of the addresses
   */
  public SocketChannel to(List<InetSocketAddress> addresses, Duration timeout) throws IOException {
    try {
      SocketChannel connected =
          addresses.size() == 1
              ? toOnly(addresses.get(0), Math.toIntExact(timeout.toMillis()))
              : toFirst(addresses, timeout.toNanos());
      release(connected);
      return connected;
    } catch (IOException | ClosedSelectorException e) {
      // What was closed under the attempt fails in several ways.
      requireOpen();
      throw e;
    } finally {
      close();
    }
  }

  private SocketChannel toOnly(InetSocketAddress address, int millis) throws IOException {
    SocketChannel channel = opened(SocketChannel.open());
    channel.socket().connect(address, millis);
    return channel;
  }

  private SocketChannel toFirst(List<InetSocketAddress> addresses, long nanos) throws IOException {
    Selector selector = opened(Selector.open());
    long end = System.nanoTime() + nanos;
    long turn = System.nanoTime();
    int next = 0;
    int waiting = 0;
    @Nullable IOException failure = null;
    while (true) {
      long now = System.nanoTime();
      if (next < addresses.size() && (waiting == 0 || now - turn >= 0)) {
        try {
          SocketChannel begun = begin(addresses.get(next++), selector);
          if (begun.isConnected()) {
            return blocking(begun, selector);
          }
          waiting++;
        } catch (IOException e) {
          failure = moreTelling(failure, e);
          continue;
        }
        turn = now + STAGGER.toNanos();
        continue;
      }
      if (waiting == 0 && failure != null) {
        throw failure;
      }
      if (now - end >= 0) {
        throw moreTelling(failure, new SocketTimeoutException("Connect timed out"));
      }
      long until = next < addresses.size() && turn - end < 0 ? turn : end;
      select(selector, until - now);
      for (SelectionKey key : selector.selectedKeys()) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
          if (channel.finishConnect()) {
            return blocking(channel, selector);
          }
        } catch (IOException e) {
          failure = moreTelling(failure, e);
          waiting--;
          channel.close();
          turn = now;
        }
      }
      selector.selectedKeys().clear();
    }
  }

  private SocketChannel begin(InetSocketAddress address, Selector selector) throws IOException {
    SocketChannel channel = opened(SocketChannel.open());
    try {
      channel.configureBlocking(false);
      if (!channel.connect(address)) {
        SelectionKey unused = channel.register(selector, SelectionKey.OP_CONNECT);
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void select(Selector selector, long nanos) throws IOException {
    int unused = selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
    requireOpen();
  }

  private static SocketChannel blocking(SocketChannel channel, Selector selector)
      throws IOException {
    // Its channels can be blocking when it has let them go.
    selector.close();
    channel.configureBlocking(true);
    return channel;
  }

  /**
   * Returns which of two failures says more of a host: any that is not the lack of a route, which
   * one of both families of addresses often has, and otherwise the first.
   */
  private static IOException moreTelling(@Nullable IOException first, IOException second) {
    return first == null || Outage.ofConnecting(first) == Outage.NO_ROUTE ? second : first;
  }

  private synchronized <T extends Closeable> T opened(T resource) throws IOException {
    if (closed) {
      resource.close();
      requireOpen();
    }
    open.add(resource);
    return resource;
  }

  private synchronized void release(SocketChannel connected) throws IOException {
    requireOpen();
    open.remove(connected);
  }

  private synchronized void requireOpen() throws IOException {
    if (closed) {
      throw new AsynchronousCloseException();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    for (Closeable resource : open) {
      resource.close();
    }
    open.clear();
  }
}
