package dev.ferry.cli.client;

import dev.ferry.core.Carrier;
import dev.ferry.core.RateLimit;
import dev.ferry.core.internal.KnownNames;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.http.HttpFiles;
import dev.ferry.library.Protocol;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The clients of the option {@code --client}. */
public enum CarrierChoice {
  /** grpc-java on Netty, with buffers handed off to Netty without a copy. */
  GRPC("grpc", Protocol.GRPC),
  /** Ferry's own client of HTTP/1.1. */
  HTTP("http", Protocol.HTTP);

  /** Names of former versions, of which none is best on a command line. */
  private static final Set<String> LEFT = Set.of("http2", "grpc-web", "grpc-web-text");

  private final String label;
  private final Protocol protocol;

  CarrierChoice(String label, Protocol protocol) {
    this.label = label;
    this.protocol = protocol;
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
   * whose transfers have a rate limit.
   *
   * @param limit null for none
   */
  public Carrier connect(
      Servers servers, @Nullable ClientTls tls, @Nullable Token token, @Nullable RateLimit limit) {
    return switch (this) {
      case GRPC -> GrpcCarrier.connect(servers, GrpcSetup.ofClient().limitedTo(limit), tls, token);
      case HTTP -> HttpFiles.connect(servers, tls, token);
    };
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

  /** The protocol, which decides the port of an address without one. */
  Protocol protocol() {
    return protocol;
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
      if (LEFT.contains(text.toLowerCase(Locale.ROOT))) {
        throw new TypeConversionException("'" + text + "' is no longer a client; use http");
      }
      KnownNames names = KnownNames.of(Stream.of(values()).map(CarrierChoice::toString).toList());
      throw new TypeConversionException("'" + text + "' is not a client; " + names.hint(text));
    }
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return label;
  }
}
