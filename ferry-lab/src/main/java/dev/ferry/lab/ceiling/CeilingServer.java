package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The server's end of ceilings if it has a process of its own. Each connection has a thread, and
 * ends with the process at the latest.
 */
public final class CeilingServer implements RowServer {
  private static final int ECHO_BYTES = 1 << 10;

  private final Workplace workplace;
  private final ServerSocketChannel listener;

  private CeilingServer(Workplace workplace, ServerSocketChannel listener) {
    this.workplace = workplace;
    this.listener = listener;
  }

  /** Starts it on a free port. */
  public static CeilingServer start(Workplace workplace) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(ServerHost.address(), 0));
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    CeilingServer server = new CeilingServer(workplace, listener);
    daemon(server::accept, "ferry-ceiling-acceptor");
    return server;
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel channel = listener.accept();
        daemon(() -> serve(channel), "ferry-ceiling-connection");
      }
    } catch (ClosedChannelException e) {
      // The end of the server.
      return;
    } catch (IOException e) {
      report(e);
    }
  }

  /** Closes the connection at its end, so that the client does not wait forever. */
  private void serve(SocketChannel channel) {
    try (channel) {
      CeilingRequest request = CeilingRequest.read(channel);
      if (request.way().equals(CeilingRequest.ECHO)) {
        echo(channel);
      } else {
        SocketService.start(request, workplace, channel).join();
      }
    } catch (IOException e) {
      report(e);
    }
  }

  private static void echo(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    ByteBuffer buffer = ByteBuffer.allocateDirect(ECHO_BYTES);
    while (channel.read(buffer.clear()) >= 0) {
      SocketEnd.writeAll(channel, buffer.flip());
    }
  }

  @SuppressWarnings("SystemOut") // It goes to the run's log.
  private static void report(IOException failure) {
    System.err.println("a ceiling's connection ended: " + failure);
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
      throw new IllegalStateException("the ceilings' server does not stop: " + Reason.of(e), e);
    }
  }
}
