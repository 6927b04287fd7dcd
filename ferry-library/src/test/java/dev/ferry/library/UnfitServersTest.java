package dev.ferry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.wire.internal.TestCertificates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client says of servers and proxies with which it cannot work. */
@Timeout(120)
final class UnfitServersTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path local;

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirect_isNotFollowed_andNamesTheNewAddress(int status) throws Exception {
    HttpServer server = HttpServer.create(ANY_PORT, 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange
              .getResponseHeaders()
              .set("Location", "https://new.example.org/files/a?key=secret");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    try (FerryClient ferry =
        FerryClient.connect("http://127.0.0.1:" + server.getAddress().getPort() + "/files/")) {
      String sentence =
          "the server redirects to https://new.example.org/files/a (HTTP %d);".formatted(status)
              + " give the address of that server";
      assertRefused(() -> ferry.download("a", local.resolve("a")), "a: " + sentence);
      assertRefused(() -> ferry.upload("a", new byte[5]), "a: " + sentence);
      assertRefused(() -> ferry.stat("a"), "a: " + sentence);
      assertRefused(() -> ferry.delete("a"), "a: " + sentence);
      assertThat(local).isEmptyDirectory();
    } finally {
      server.stop(0);
    }
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .hasMessage(message)
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_REQUEST));
  }

  /** As some load balancers do, which end TLS in front of a server for gRPC. */
  @Test
  void tlsWithoutAlpn_inFrontOfGrpc_saysWhatIsMissing() throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(TestCertificates.loopback().toKeyManagerFactory().getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(ANY_PORT, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.start();
    String address = "127.0.0.1:" + server.getAddress().getPort();
    try (FerryClient ferry =
        FerryClient.builder("ferrys://" + address)
            .protocol(Protocol.GRPC)
            .tls(TestCertificates.client())
            .connect()) {
      assertThatThrownBy(() -> ferry.stat("a"))
          .hasMessage(address + " speaks TLS but no HTTP/2 over it (ALPN), as gRPC needs")
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.outage()).isEqualTo(Outage.FOREIGN));
    } finally {
      server.stop(0);
    }
  }
}
