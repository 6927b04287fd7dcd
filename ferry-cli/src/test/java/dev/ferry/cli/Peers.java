package dev.ferry.cli;

import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.RefusingPort;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;

/** Servers that are not Ferry, on free ports of this machine. */
public final class Peers implements AutoCloseable {
  /** For as long as this JVM runs: a few sockets. */
  private static final Queue<RefusingPort> HELD = new ConcurrentLinkedQueue<>();

  private final List<AutoCloseable> open = new ArrayList<>();

  /** What one does with a connection. */
  @FunctionalInterface
  private interface Manners {
    void meet(Socket client) throws IOException;
  }

  /** One that speaks first, and then listens. */
  public int greeting(String line) throws IOException {
    return serve(
        plain(),
        client -> client.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII)));
  }

  /** One that takes connections and says nothing. */
  public int silent() throws IOException {
    return serve(plain(), client -> {});
  }

  /** One that takes connections and closes them. */
  public int closing() throws IOException {
    return serve(plain(), Socket::close);
  }

  /** One that nobody listens at, unless a test has it do so. */
  public static int nobody() throws IOException {
    RefusingPort port = new RefusingPort();
    HELD.add(port);
    return port.address().getPort();
  }

  /** One that responds to every request with 404. */
  public int http(String name) throws IOException {
    return http(name, 404);
  }

  /** One that responds to every request with this status. */
  public int http(String name, int status) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(Servers.HOST, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("Server", name);
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    open.add(() -> server.stop(0));
    return server.getAddress().getPort();
  }

  /** One that redirects all requests. */
  public int redirecting(String address) throws IOException {
    return serve(
        plain(),
        client -> {
          String head = "HTTP/1.1 301 Moved\r\nServer: nginx\r\nLocation: " + address + "\r\n";
          client
              .getOutputStream()
              .write((head + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
          client.shutdownOutput();
        });
  }

  /** One that speaks TLS, with a certificate of its own. */
  public int tls() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(TestCertificates.loopback().toKeyManagerFactory().getKeyManagers(), null, null);
    ServerSocket listener =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    return serve(
        listener,
        client -> {
          try {
            client.getInputStream().read();
          } finally {
            client.close();
          }
        });
  }

  private static ServerSocket plain() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private int serve(ServerSocket listener, Manners manners) {
    open.add(listener);
    Thread acceptor = new Thread(() -> accept(listener, manners), "peer");
    acceptor.setDaemon(true);
    acceptor.start();
    return listener.getLocalPort();
  }

  private void accept(ServerSocket listener, Manners manners) {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        synchronized (this) {
          open.add(client);
        }
        Thread thread = new Thread(() -> meet(manners, client), "peer-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        // It was closed.
        return;
      }
    }
  }

  private static void meet(Manners manners, Socket client) {
    try {
      manners.meet(client);
    } catch (IOException e) {
      // The client has gone, or does not speak TLS.
      return;
    }
  }

  @Override
  public synchronized void close() {
    for (AutoCloseable one : open) {
      try {
        one.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
