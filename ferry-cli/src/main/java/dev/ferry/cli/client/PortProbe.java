package dev.ferry.cli.client;

import dev.ferry.cli.client.ProbeResult.Kind;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.servers.Connecting;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Detects what listens on a port. It opens a few connections and sends only requests without side
 * effects.
 *
 * @param tls whether to send the requests over TLS; then any certificate is good enough
 * @param millis timeout of each connection, and of each response
 */
record PortProbe(String host, int port, boolean tls, int millis) {
  /** A running server responds at once. */
  private static final int MILLIS = 2000;

  private static final int MOST_BYTES = 8192;
  private static final int MOST_WORDS = 60;
  private static final int TLS_ALERT = 0x15;
  private static final int HTTP2_SETTINGS = 4;
  private static final int HTTP2_HEADER_BYTES = 9;
  private static final String HTTP2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";

  private static final Pattern GATEWAY_FAILURE = Pattern.compile("HTTP/1\\.. 50[234]\\b");
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "(?is)\\AHTTP/1\\.. 30[12378]\\b.*?\nlocation: *(https?://[^\\s?#]*/files/[^\\s?#]*)\\s");
  private static final Pattern SERVER = Pattern.compile("(?im)^server: *(\\S.*?)\\s*$");

  /**
   * What a peer sent.
   *
   * @param text one character per byte (ISO 8859-1)
   * @param ended whether the peer closed the connection
   */
  private record Reply(String text, boolean ended) {
    boolean isHttp1() {
      return text.startsWith("HTTP/1.");
    }

    /** Whether this is 502, 503 or 504. */
    boolean isGatewayFailure() {
      return GATEWAY_FAILURE.matcher(text).lookingAt();
    }

    boolean isHttp2() {
      return text.length() >= HTTP2_HEADER_BYTES && text.charAt(3) == HTTP2_SETTINGS;
    }

    boolean isTls() {
      return text.length() > 1 && text.charAt(0) == TLS_ALERT && text.charAt(1) == 3;
    }

    boolean isGreeting() {
      return text.length() > 3 && text.chars().limit(4).allMatch(c -> c >= ' ' && c <= '~');
    }

    boolean isFerrys() {
      return text.toLowerCase(Locale.ROOT)
              .contains("\r\n" + HttpRoutes.DIRECTORY.toLowerCase(Locale.ROOT) + ":")
          || text.toLowerCase(Locale.ROOT)
              .contains("\r\n" + HttpRoutes.ERROR.toLowerCase(Locale.ROOT) + ":");
    }
  }

  PortProbe(String host, int port, boolean tls) {
    this(host, port, tls, MILLIS);
  }

  ProbeResult run() {
    try {
      Reply head = exchange("HEAD %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", true);
      if (head.isHttp1()) {
        return http(head);
      }
      if (head.isTls()) {
        return new ProbeResult(Kind.TLS, "");
      }
      if (head.isGreeting()) {
        return new ProbeResult(Kind.GREETING, words(head.text()));
      }
      if (head.isHttp2() || exchange(HTTP2_PREFACE, false).isHttp2()) {
        return new ProbeResult(Kind.HTTP2_ONLY, "");
      }
      return new ProbeResult(
          !tls && speaksTls() ? Kind.TLS : head.ended() ? Kind.CLOSES : Kind.SILENCE, "");
    } catch (ConnectException e) {
      return new ProbeResult(Kind.NOBODY, "");
    } catch (SocketTimeoutException e) {
      return new ProbeResult(Kind.SILENCE, "");
    } catch (IOException e) {
      return new ProbeResult(Kind.CLOSES, "");
    }
  }

  private static ProbeResult http(Reply head) {
    Matcher elsewhere = ELSEWHERE.matcher(head.text());
    if (!head.isFerrys() && elsewhere.find()) {
      return new ProbeResult(Kind.ELSEWHERE, words(elsewhere.group(1)));
    }
    if (!head.isFerrys()) {
      Matcher server = SERVER.matcher(head.text());
      return new ProbeResult(
          head.isGatewayFailure() ? Kind.PROXY_WITHOUT_SERVER : Kind.OTHER_HTTP,
          server.find() ? words(server.group(1)) : "");
    }
    return new ProbeResult(Kind.FERRY_HTTP, "");
  }

  private Reply exchange(String request, boolean wholeHead) throws IOException {
    try (Socket socket = connect();
        Socket secured = tls ? overTls(socket, wholeHead ? "http/1.1" : "h2") : socket) {
      String where = ServerAddress.format(host, port);
      String text = request.formatted(HttpRoutes.FILES, where);
      secured.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return listen(secured.getInputStream(), wholeHead);
    } catch (SSLException e) {
      return new Reply("", !(e.getCause() instanceof SocketTimeoutException));
    }
  }

  private Socket overTls(Socket socket, String protocol) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      SSLSocket secured =
          (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      secured.setSSLParameters(parameters);
      return secured;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private Socket connect() throws IOException {
    Servers.Endpoint server = new Servers.Endpoint(new Servers.Address(host, port), null);
    Socket socket =
        new Connecting().to(server.socketAddresses(), Duration.ofMillis(millis)).socket();
    socket.setSoTimeout(millis);
    return socket;
  }

  /** Reads until the protocol is known; for HTTP/1.1, reads as much as fits. */
  private static Reply listen(InputStream in, boolean wholeHead) {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[MOST_BYTES];
    try {
      while (text.length() < MOST_BYTES) {
        int n = in.read(buffer);
        if (n < 0) {
          return new Reply(text.toString(), true);
        }
        text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        boolean http1 = text.indexOf("HTTP/1.") == 0;
        if (!http1 && text.length() >= HTTP2_HEADER_BYTES || !wholeHead) {
          break;
        }
      }
    } catch (SocketTimeoutException e) {
      return new Reply(text.toString(), false);
    } catch (IOException e) {
      // The peer reset the connection without reading the request.
      return new Reply(text.toString(), true);
    }
    return new Reply(text.toString(), false);
  }

  /** Whether the peer sends a certificate, even an untrusted one. */
  private boolean speaksTls() throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    try (Socket socket = connect();
        SSLSocket tls = (SSLSocket) factory.createSocket(socket, host, port, true)) {
      tls.startHandshake();
      return true;
    } catch (SSLException e) {
      return isCertificates(e);
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  private static boolean isCertificates(@Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }

  private static String words(String text) {
    String line = PlainText.of(text.lines().findFirst().orElse(""));
    return line.length() <= MOST_WORDS ? line : line.substring(0, MOST_WORDS) + "...";
  }
}
