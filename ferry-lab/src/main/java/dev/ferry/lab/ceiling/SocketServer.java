package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server of bare sockets. Each connection has a thread, and ends with the process at the latest.
 */
public record SocketServer(String name, Service service, ServerSocketChannel listener)
    implements RowServer {
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What a server does with its connections. */
  @FunctionalInterface
  public interface Service {
    /**
     * Serves a connection until it ends. The server closes it then, so that the client does not
     * wait forever.
     *
     * @throws IOException if it fails, which goes to the run's log
     */
    void serve(SocketChannel channel) throws IOException;
  }

  /**
   * Starts a server on a free port.
   *
   * @param name the name of its threads, and of the server in the run's log
   */
  public static SocketServer start(String name, Service service) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(ServerHost.address(), 0));
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    SocketServer server = new SocketServer(name, service, listener);
    Daemon.start(name, server::accept);
    return server;
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel channel = listener.accept();
        Daemon.start(name, () -> serve(channel));
      } catch (ClosedChannelException e) {
        // The end of the server.
        return;
      } catch (IOException e) {
        // For instance too many open files, which may pass.
        report(e);
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      service.serve(channel);
    } catch (IOException e) {
      report(e);
    }
  }

  @SuppressWarnings("SystemOut") // It goes to the run's log.
  private void report(IOException failure) {
    System.err.println("a connection of " + name + " ended: " + failure);
  }

  @Override
  public int port() {
    return listener.socket().getLocalPort();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new IllegalStateException(name + " does not stop: " + Reason.of(e), e);
    }
  }
}
