package dev.ferry.cli.client;

import dev.ferry.core.Carrier;
import dev.ferry.core.RateLimit;
import dev.ferry.core.internal.KnownNames;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.ClientTls;
import dev.ferry.net.Servers;
import dev.ferry.net.Token;
import dev.ferry.net.internal.ReceiveWindows;
import dev.ferry.web.WebFiles;
import dev.ferry.web.WebFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The carriers of the option {@code --carrier}. */
public enum CarrierChoice {
  /** grpc-java on Netty, with buffers handed off to Netty without a copy. */
  GRPC(
      "grpc",
      CarrierChoice.GRPC_PORT,
      (servers, tls, token, limit) ->
          GrpcCarrier.connect(servers, GrpcSetup.ofClient().limitedTo(limit), tls, token)),
  /** Ferry's own client of HTTP/1.1. */
  HTTP(
      "http",
      CarrierChoice.HTTP_PORT,
      (servers, tls, token, limit) ->
          HttpFiles.connect(servers, HttpProtocol.HTTP_1_1, tls, token)),
  /** java.net.http over HTTP/2. */
  HTTP2("http2", CarrierChoice.HTTP_PORT, CarrierChoice::http2),
  /** gRPC-Web over HTTP/1.1, for networks that do not pass gRPC. */
  GRPC_WEB(
      "grpc-web",
      CarrierChoice.HTTP_PORT,
      (servers, tls, token, limit) -> web(servers, tls, token, WebFormat.GRPC_WEB)),
  /** gRPC-Web in base64, for proxies that pass only text. */
  GRPC_WEB_TEXT(
      "grpc-web-text",
      CarrierChoice.HTTP_PORT,
      (servers, tls, token, limit) -> web(servers, tls, token, WebFormat.GRPC_WEB_TEXT));

  /** Default port of {@code ferry serve} for gRPC. */
  public static final int GRPC_PORT = 7070;

  /** Default port of {@code ferry serve} for HTTP and gRPC-Web. */
  public static final int HTTP_PORT = 7080;

  private final String label;
  private final int defaultPort;
  private final Connector connector;

  /** Creates a client. */
  @FunctionalInterface
  private interface Connector {
    Carrier connect(
        Servers servers, @Nullable ClientTls tls, @Nullable Token token, @Nullable RateLimit limit);
  }

  CarrierChoice(String label, int defaultPort, Connector connector) {
    this.label = label;
    this.defaultPort = defaultPort;
    this.connector = connector;
  }

  private static Carrier http2(
      Servers servers, @Nullable ClientTls tls, @Nullable Token token, @Nullable RateLimit limit) {
    if (limit != null) {
      // java.net.http reads this flag for each connection. There is no option of one client.
      System.setProperty("jdk.httpclient.windowsize", String.valueOf(ReceiveWindows.stream(limit)));
    }
    return HttpFiles.connect(servers, HttpProtocol.H2C, tls, token);
  }

  private static Carrier web(
      Servers servers, @Nullable ClientTls tls, @Nullable Token token, WebFormat format) {
    return WebFiles.connect(servers, format, HttpProtocol.HTTP_1_1, tls, token);
  }

  /**
   * Creates a client, which connects lazily. The caller closes it.
   *
   * @param tls null for plain text
   * @param token sent with each request, which {@link Token#maySendTo} must permit; null for none
   */
  public Carrier connect(String host, int port, @Nullable ClientTls tls, @Nullable Token token) {
    return connect(Servers.of(host, port), tls, token, null);
  }

  /**
   * Creates a client as {@link #connect(String, int, ClientTls, Token)}, of one or several servers,
   * whose transfers have a rate limit. With java.net.http over HTTP/2, all later clients of the
   * process have a small receive window, too.
   *
   * @param limit null for none
   */
  public Carrier connect(
      Servers servers, @Nullable ClientTls tls, @Nullable Token token, @Nullable RateLimit limit) {
    return connector.connect(servers, tls, token, limit);
  }

  /**
   * Whether an upload has to be checked by other requests before it. A server of files over HTTP
   * may ignore the conditions of an upload, and over HTTP/1.1 a refusal can be lost with its
   * connection if it comes before the end of the request.
   */
  boolean needsUploadCheck() {
    return this != GRPC;
  }

  /** Whether the client sends requests before it has the responses to those before. */
  boolean sendsAhead() {
    return this == HTTP;
  }

  int defaultPort() {
    return defaultPort;
  }

  /** Parses the name of a carrier, ignoring case. */
  static final class Converter implements ITypeConverter<CarrierChoice> {
    @Override
    public CarrierChoice convert(String text) {
      for (CarrierChoice choice : values()) {
        if (choice.label.equalsIgnoreCase(text)) {
          return choice;
        }
      }
      KnownNames names = KnownNames.of(Stream.of(values()).map(CarrierChoice::toString).toList());
      throw new TypeConversionException("'" + text + "' is no carrier; " + names.hint(text));
    }
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return label;
  }
}
