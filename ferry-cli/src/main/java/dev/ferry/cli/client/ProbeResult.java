package dev.ferry.cli.client;

import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.servers.Proxies;
import java.net.ProxySelector;
import org.jspecify.annotations.Nullable;

/**
 * What listens on a port.
 *
 * @param kind the protocol of the server
 * @param words the server's own description, safe to print; empty if there is none
 */
record ProbeResult(Kind kind, String words) {
  /** The protocol of the server. */
  enum Kind {
    /** Nothing listens on the port any more. */
    NOBODY,
    /** It is reached by a proxy, which was not asked. */
    PROXIED,
    /** HTTP/2 without HTTP/1.1, as gRPC servers speak it. */
    HTTP2_ONLY,
    /** Ferry's port for HTTP and gRPC-Web. */
    FERRY_HTTP,
    /** An HTTP server other than Ferry. */
    OTHER_HTTP,
    /** A server that says by a redirection where Ferry's files are; the words are the address. */
    ELSEWHERE,
    /** A proxy that has no server for a request. */
    PROXY_WITHOUT_SERVER,
    /** TLS. */
    TLS,
    /** A protocol in which the server sends first, such as SSH. */
    GREETING,
    /** The server accepts connections and sends nothing. */
    SILENCE,
    /** The server accepts connections and closes them. */
    CLOSES
  }

  /**
   * Probes a port. This takes a few seconds if the server sends nothing.
   *
   * @param tls whether to probe over TLS
   */
  static ProbeResult at(String host, int port, boolean tls) {
    // Behind a proxy, the port perhaps cannot be reached without.
    return Proxies.to(new Servers.Address(host, port), tls, ProxySelector.getDefault()) == null
        ? new PortProbe(host, port, tls).run()
        : new ProbeResult(Kind.PROXIED, "");
  }

  /**
   * Explains why a carrier does not work with this server, and what to do instead.
   *
   * @param where address of the server
   * @return null if no problem is known
   */
  @Nullable String problem(CarrierChoice carrier, String where) {
    return switch (kind) {
      case HTTP2_ONLY ->
          carrier == CarrierChoice.GRPC
              ? null
              : where + " speaks gRPC (HTTP/2 only); use --client grpc, or " + itsPort(carrier);
      case FERRY_HTTP ->
          carrier == CarrierChoice.GRPC
              ? where + " is Ferry's HTTP port; use --client http, or " + itsPort(carrier)
              : null;
      case OTHER_HTTP -> other(where, "another HTTP server");
      case ELSEWHERE -> where + " redirects to " + words + "; give that address";
      case PROXY_WITHOUT_SERVER ->
          where
              + " is a proxy"
              + (words.isEmpty() ? "" : " (" + words + ")")
              + " that has no server ready; try again, or check the servers behind it";
      case GREETING -> other(where, "no Ferry server");
      case TLS -> where + " speaks TLS; use --tls, or check --server";
      case SILENCE -> where + " takes connections and says nothing; check --server";
      case CLOSES -> where + " takes connections and closes them at once; check --server";
      case NOBODY, PROXIED -> null;
    };
  }

  private String other(String where, String what) {
    return where + " is " + what + (words.isEmpty() ? "" : " (" + words + ")") + "; check --server";
  }

  private static String itsPort(CarrierChoice carrier) {
    String name = carrier == CarrierChoice.GRPC ? "gRPC" : "HTTP";
    return "the " + name + " port (" + carrier.protocol().defaultPort() + ")";
  }
}
