package dev.ferry.suites.tls;

import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.net.ServerTls;
import dev.ferry.net.internal.TlsContexts;
import dev.ferry.suites.rival.PartFile;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A folder over TLS without a protocol. Each connection has a thread. */
public final class BareTlsServer implements RowServer {
  private final Path root;
  private final SslContext context;
  private final ServerSocketChannel listener;

  private BareTlsServer(Path root, ServerTls tls, ServerSocketChannel listener) {
    this.root = root;
    this.context = TlsContexts.server(tls, BareTlsClient.PROTOCOL);
    this.listener = listener;
  }

  /** Starts it on a free port. */
  public static BareTlsServer start(Path root, ServerTls tls) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(ServerHost.address(), 0));
      BareTlsServer server = new BareTlsServer(root, tls, listener);
      daemon(server::accept);
      return server;
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "ferry-bare-tls-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel socket = listener.accept();
        daemon(() -> serve(socket));
      }
    } catch (ClosedChannelException e) {
      // The end of the server.
      return;
    } catch (IOException e) {
      report(e);
    }
  }

  /** Closes the connection at its end, so that the client does not wait forever. */
  private void serve(SocketChannel socket) {
    try (TlsChannel channel = new TlsChannel(socket, context.newEngine(ByteBufAllocator.DEFAULT))) {
      Pin.pinServerThread();
      while (true) {
        answer(channel, channel.readCommand());
      }
    } catch (EOFException e) {
      // The client has gone.
      return;
    } catch (IOException e) {
      report(e);
    }
  }

  private void answer(TlsChannel channel, TlsChannel.Command command) throws IOException {
    Path file = root.resolve(command.name());
    if (command.kind() == BareTlsClient.DOWNLOAD) {
      try (FileChannel source = FileChannel.open(file)) {
        channel.writeCommand(BareTlsClient.DOWNLOAD, source.size(), "");
        channel.send(source);
      }
      return;
    }
    try (PartFile target = new PartFile(file)) {
      channel.receive(target.channel(), command.number());
      target.commit();
    }
    channel.writeCommand(BareTlsClient.UPLOAD, command.number(), "");
  }

  @SuppressWarnings("SystemOut") // It goes to the run's log.
  private static void report(IOException failure) {
    System.err.println("a connection of the bare TLS server ended: " + failure);
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
      throw new IllegalStateException("the bare TLS server does not stop: " + e.getMessage(), e);
    }
  }
}
