package dev.ferry.cli;

import org.jspecify.annotations.Nullable;

/**
 * What listens at a port.
 *
 * @param kind what it speaks
 * @param words what it calls itself, made fit to print; empty where it does not
 */
record WhatAnswers(Kind kind, String words) {
  /** What it speaks. */
  enum Kind {
    /** Nobody listens any more. */
    NOBODY,
    /** HTTP/2 and not HTTP/1.1, as gRPC servers do. */
    HTTP2_ONLY,
    /** Ferry's port of HTTP and gRPC-Web. */
    FERRY_HTTP,
    /** HTTP, but not Ferry's. */
    OTHER_HTTP,
    /** TLS. */
    TLS,
    /** A protocol in which the server speaks first, such as SSH. */
    GREETING,
    /** It takes connections and says nothing. */
    SILENCE,
    /** It takes connections and closes them. */
    CLOSES
  }

  /** Finds out, as a rule at once, and within seconds from one that says nothing. */
  static WhatAnswers at(String host, int port) {
    return new PortProbe(host, port).ask();
  }

  /**
   * What is wrong with asking it over a carrier, and what to do instead.
   *
   * @param where its address
   * @return null where nothing is wrong with that, as far as one can see
   */
  @Nullable String unlike(CarrierChoice carrier, String where) {
    return switch (kind) {
      case HTTP2_ONLY ->
          carrier == CarrierChoice.GRPC
              ? null
              : where + " speaks gRPC (HTTP/2 only); use --carrier grpc, or " + itsPort(carrier);
      case FERRY_HTTP ->
          carrier == CarrierChoice.GRPC
              ? where + " is Ferry's HTTP port; use --carrier http, or " + itsPort(carrier)
              : null;
      case OTHER_HTTP -> other(where, "another HTTP server");
      case GREETING -> other(where, "no Ferry server");
      case TLS -> where + " speaks TLS, and Ferry plain text; check --server";
      case SILENCE -> where + " takes connections and says nothing; check --server";
      case CLOSES -> where + " takes connections and closes them at once; check --server";
      case NOBODY -> null;
    };
  }

  private String other(String where, String what) {
    return where + " is " + what + (words.isEmpty() ? "" : " (" + words + ")") + "; check --server";
  }

  private static String itsPort(CarrierChoice carrier) {
    String name = carrier == CarrierChoice.GRPC ? "gRPC" : "HTTP";
    return "the " + name + " port (" + carrier.defaultPort() + ")";
  }
}
