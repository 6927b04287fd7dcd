package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.RefusingPort;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.servers.Proxies;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client behind a proxy that the JVM is told of. */
@Timeout(300)
class Http1ProxyTest {
  private ServerSocket proxy;

  @BeforeEach
  void start() throws IOException {
    proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
  }

  private Carrier connect(String host, int port, @Nullable ClientTls tls) {
    return connect(
        host,
        port,
        tls,
        ProxySelector.of(new InetSocketAddress("127.0.0.1", proxy.getLocalPort())));
  }

  private static Carrier connect(
      String host, int port, @Nullable ClientTls tls, ProxySelector selector) {
    return Http1Carrier.of(
        new Endpoint(new Address(host, port), null), "", false, tls, null, selector);
  }

  private static String head(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new EOFException("the client has gone");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Answers one request, and returns its head. */
  private CompletableFuture<String> answer(String response) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Socket socket = proxy.accept()) {
            String head = head(socket);
            say(socket, response);
            return head;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void request_inPlainText_isAskedOfTheProxy() throws Exception {
    CompletableFuture<String> asked = answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    try (Carrier carrier = connect("far.example", 80, null)) {
      carrier.stat(StorePath.parse("f"), null, CallLimits.DEFAULT);
    }
    assertThat(asked.get())
        .startsWith("HEAD http://far.example:80/files/f HTTP/1.1\r\nHost: far.example:80\r\n");
  }

  @Test
  void request_overTls_goesThroughATunnel(@TempDir Path root) throws Exception {
    ServerSettings tls =
        ServerSettings.defaults()
            .withHostNames(List.of("other.example"))
            .withTls(TestCertificates.server(TestCertificates.otherHost()));
    try (HttpFilesServer server =
            HttpFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, 65536, tls);
        Carrier carrier = connect("other.example", server.port(), TestCertificates.client())) {
      CompletableFuture<String> asked =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  Socket client = proxy.accept();
                  String head = head(client);
                  Socket far = new Socket("127.0.0.1", server.port());
                  say(client, "HTTP/1.1 200 Connection established\r\n\r\n");
                  pass(client, far);
                  pass(far, client);
                  return head;
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      assertThat(carrier.list(StorePath.ROOT)).isEmpty();
      assertThat(asked.get())
          .startsWith(
              "CONNECT other.example:" + server.port() + " HTTP/1.1\r\nHost: other.example:");
    }
  }

  private static void pass(Socket from, Socket to) {
    Thread thread =
        new Thread(
            () -> {
              try (from;
                  to;
                  InputStream in = from.getInputStream()) {
                in.transferTo(to.getOutputStream());
              } catch (IOException e) {
                // The other direction has ended.
                return;
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void tunnel_thatIsRefused_isNamed() throws Exception {
    CompletableFuture<String> asked = answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    try (Carrier carrier = connect("far.example", 443, TestCertificates.client())) {
      assertThatThrownBy(() -> carrier.list(StorePath.ROOT))
          .isInstanceOf(FerryException.class)
          .hasMessageContaining("does not connect to far.example:443 (HTTP 403)");
    }
    asked.get();
  }

  @Test
  void proxy_thatIsGone_isNamed() throws Exception {
    proxy.close();
    String name = "127.0.0.1:" + proxy.getLocalPort();
    RefusingPort refusing = new RefusingPort((InetSocketAddress) proxy.getLocalSocketAddress());
    for (ClientTls tls : new ClientTls[] {null, TestCertificates.client()}) {
      try (Carrier carrier = connect("far.example", 80, tls)) {
        FerryException failure =
            catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
        assertThat(failure)
            .hasMessageContaining("by the proxy " + name)
            .hasMessageNotContaining("far");
        // Another outage has the advice to look at the server.
        assertThat(failure.outage()).isEqualTo(Outage.NO_CONNECTION);
      }
    }
    refusing.close();
  }

  @Test
  void proxy_behindDirect_isNotUsed() {
    ProxySelector selector =
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            return List.of(
                Proxy.NO_PROXY, new Proxy(Proxy.Type.HTTP, new InetSocketAddress("p.invalid", 1)));
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        };
    assertThat(Proxies.to(new Address("far.example", 1), false, selector)).isNull();
  }

  @Test
  void proxy_forThisMachine_isNotUsed() throws Exception {
    ProxySelector selector = ProxySelector.of(new InetSocketAddress("p.invalid", 1));
    for (String host : List.of("127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]")) {
      CompletableFuture<String> asked = answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      try (Carrier carrier = connect(host, proxy.getLocalPort(), null, selector)) {
        carrier.stat(StorePath.parse("f"), null, CallLimits.DEFAULT);
      }
      assertThat(asked.get()).startsWith("HEAD /files/f HTTP/1.1\r\n");
    }
  }

  @Test
  void slowResponse_ofOneOfSeveralServersBehindTheProxy_isWaitedFor() throws Exception {
    Endpoint unreachable = new Endpoint(new Address("far.invalid", 80), null);
    ProxySelector selector =
        ProxySelector.of(new InetSocketAddress("127.0.0.1", proxy.getLocalPort()));
    CompletableFuture<Void> answered =
        CompletableFuture.runAsync(
            () -> {
              try (Socket socket = proxy.accept()) {
                String unused = head(socket);
                // Longer than it takes to find out that a server is gone.
                Thread.sleep(3_000);
                say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    try (Carrier carrier = Http1Carrier.of(unreachable, "", true, null, null, selector)) {
      assertThat(carrier.stat(StorePath.parse("f"), null, CallLimits.DEFAULT).size()).isEqualTo(5);
    }
    answered.join();
  }
}
