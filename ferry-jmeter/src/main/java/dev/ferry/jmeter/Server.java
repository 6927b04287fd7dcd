package dev.ferry.jmeter;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.KnownNames;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.grpc.internal.health.HealthClient;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFiles;
import dev.ferry.web.WebFormat;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Token;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A server as a sampler names it. Two that are equal share a connection.
 *
 * @param address {@code ferry://HOST[:PORT]}, {@code ferrys://}, {@code http://} or {@code
 *     https://}
 * @param carrier {@code grpc}, {@code http}, {@code grpc-web} or {@code grpc-web-text}; empty means
 *     that of the scheme
 * @param tokenFile file with the token; empty means none
 * @param caFile PEM file with the certificates to trust; empty means those that Java trusts
 */
record Server(String address, String carrier, String tokenFile, String caFile) {
  private static final String GRPC = "grpc";
  private static final String HTTP = "http";
  private static final int GRPC_PORT = 7070;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final List<String> SCHEMES = List.of("ferry", "ferrys", HTTP, "https");
  private static final List<String> HTTP_CARRIERS = List.of(HTTP, "grpc-web", "grpc-web-text");

  /** A carrier of former versions. */
  private static final String HTTP2 = "http2";

  /** Where the server is, and how it is reached. */
  private record Way(String host, int port, boolean tls, String carrier) {}

  /**
   * Makes a client, which connects lazily. The caller closes it.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the address or the carrier is
   *     wrong, or as the files of the token and the certificates fail
   */
  Carrier connect() throws FerryException {
    Way way = way();
    ClientTls tls = tls(way);
    Token token = token(way);
    return switch (way.carrier) {
      case GRPC -> GrpcFiles.connect(way.host, way.port, tls, token);
      case HTTP -> HttpFiles.connect(way.host, way.port, tls, token);
      default -> {
        WebFormat format =
            way.carrier.equals("grpc-web") ? WebFormat.GRPC_WEB : WebFormat.GRPC_WEB_TEXT;
        yield WebFiles.connect(way.host, way.port, format, HttpProtocol.HTTP_1_1, tls, token);
      }
    };
  }

  /**
   * Makes a client of gRPC's health service, which connects lazily. The caller closes it.
   *
   * @throws FerryException as {@link #connect}, or if the carrier is not gRPC
   */
  HealthClient connectHealth() throws FerryException {
    Way way = way();
    if (!way.carrier.equals(GRPC)) {
      throw wrong("carrier: a call needs grpc, and not " + way.carrier, null);
    }
    return HealthClient.connect(way.host, way.port, tls(way), token(way));
  }

  private Way way() throws FerryException {
    URI uri;
    try {
      uri = new URI(address.strip());
    } catch (URISyntaxException e) {
      throw wrong("address: '" + address + "' is no address such as ferry://HOST:PORT", e);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    if (!SCHEMES.contains(scheme) || uri.getHost() == null) {
      throw wrong(
          "address: '" + address + "' is no address such as ferry://HOST:PORT or https://HOST",
          null);
    }
    if (!(path.isEmpty() || path.equals("/"))
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw wrong("address: is a scheme, a host and a port alone; the path is a field", null);
    }
    boolean http = scheme.startsWith(HTTP);
    boolean tls = scheme.endsWith("s");
    String host = uri.getHost();
    host = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    int standard = http ? (tls ? HTTPS_PORT : HTTP_PORT) : GRPC_PORT;
    return new Way(host, uri.getPort() < 0 ? standard : uri.getPort(), tls, carrier(scheme, http));
  }

  private String carrier(String scheme, boolean http) throws FerryException {
    String chosen = carrier.strip().toLowerCase(Locale.ROOT);
    if (chosen.isEmpty()) {
      return http ? HTTP : GRPC;
    }
    if (http && chosen.equals(HTTP2)) {
      throw wrong("carrier: '" + carrier + "' is no carrier any more; use http", null);
    }
    List<String> fitting = http ? HTTP_CARRIERS : List.of(GRPC);
    if (!fitting.contains(chosen)) {
      throw wrong(
          "carrier: '"
              + carrier
              + "' is no carrier of "
              + scheme
              + "://; "
              + KnownNames.of(fitting).hint(chosen),
          null);
    }
    return chosen;
  }

  private @Nullable ClientTls tls(Way way) throws FerryException {
    if (!way.tls) {
      if (!caFile.isBlank()) {
        throw wrong("caFile: is for ferrys:// and https://", null);
      }
      return null;
    }
    try {
      return caFile.isBlank()
          ? ClientTls.trustingJdk()
          : ClientTls.trusting(Path.of(caFile.strip()));
    } catch (IOException e) {
      throw wrong("caFile: " + e.getMessage(), e);
    }
  }

  private @Nullable Token token(Way way) throws FerryException {
    if (tokenFile.isBlank()) {
      return null;
    }
    Token token;
    try {
      token = Token.read(Path.of(tokenFile.strip()));
    } catch (IOException e) {
      throw wrong("tokenFile: " + e.getMessage(), e);
    }
    if (!token.maySendTo(way.host, way.tls)) {
      throw wrong(
          "tokenFile: the token is not sent to " + way.host + " in plain text; use TLS", null);
    }
    return token;
  }

  private static FerryException wrong(String message, @Nullable Exception cause) {
    return cause == null
        ? new FerryException(ErrorKind.INVALID_REQUEST, message)
        : new FerryException(ErrorKind.INVALID_REQUEST, message, cause);
  }
}
