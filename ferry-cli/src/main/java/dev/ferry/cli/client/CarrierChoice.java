package dev.ferry.cli.client;

import dev.ferry.core.Carrier;
import dev.ferry.core.internal.Names;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.ClientTls;
import dev.ferry.net.Token;
import dev.ferry.web.WebFiles;
import dev.ferry.web.WebFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The carriers of the option {@code --carrier}. */
public enum CarrierChoice {
  /** grpc-java on Netty, with buffers handed off to Netty without a copy. */
  GRPC("grpc", CarrierChoice.GRPC_PORT, GrpcFiles::connect),
  /** java.net.http over HTTP/1.1. */
  HTTP(
      "http",
      CarrierChoice.HTTP_PORT,
      (host, port, tls, token) -> HttpFiles.connect(host, port, HttpProtocol.HTTP_1_1, tls, token)),
  /** java.net.http over HTTP/2. */
  HTTP2(
      "http2",
      CarrierChoice.HTTP_PORT,
      (host, port, tls, token) -> HttpFiles.connect(host, port, HttpProtocol.H2C, tls, token)),
  /** gRPC-Web over HTTP/1.1, for networks that do not pass gRPC. */
  GRPC_WEB(
      "grpc-web",
      CarrierChoice.HTTP_PORT,
      (host, port, tls, token) -> web(host, port, tls, token, WebFormat.GRPC_WEB)),
  /** gRPC-Web in base64, for proxies that pass only text. */
  GRPC_WEB_TEXT(
      "grpc-web-text",
      CarrierChoice.HTTP_PORT,
      (host, port, tls, token) -> web(host, port, tls, token, WebFormat.GRPC_WEB_TEXT));

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
    Carrier connect(String host, int port, @Nullable ClientTls tls, @Nullable Token token);
  }

  CarrierChoice(String label, int defaultPort, Connector connector) {
    this.label = label;
    this.defaultPort = defaultPort;
    this.connector = connector;
  }

  private static Carrier web(
      String host, int port, @Nullable ClientTls tls, @Nullable Token token, WebFormat format) {
    return WebFiles.connect(host, port, format, HttpProtocol.HTTP_1_1, tls, token);
  }

  /**
   * Creates a client, which connects lazily. The caller closes it.
   *
   * @param tls null for plain text
   * @param token sent with each request, which {@link Token#maySendTo} must permit; null for none
   */
  public Carrier connect(String host, int port, @Nullable ClientTls tls, @Nullable Token token) {
    return connector.connect(host, port, tls, token);
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
      Names names = Names.of(Stream.of(values()).map(CarrierChoice::toString).toList());
      throw new TypeConversionException("'" + text + "' is no carrier; " + names.hint(text));
    }
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return label;
  }
}
