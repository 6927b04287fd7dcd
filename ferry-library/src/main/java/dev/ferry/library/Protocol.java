package dev.ferry.library;

import java.util.Locale;

/** What a client speaks to its servers. Files, errors and options are the same over both. */
public enum Protocol {
  /** gRPC over HTTP/2: many transfers at once over one connection. */
  GRPC(Protocol.GRPC_PORT),
  /** HTTP/1.1: starts fastest, goes through proxies, and speaks to other servers, too. */
  HTTP(Protocol.HTTP_PORT);

  /** Port of a server for gRPC, if it is not told otherwise. */
  public static final int GRPC_PORT = 7070;

  /** Port of a server for HTTP and gRPC-Web, if it is not told otherwise. */
  public static final int HTTP_PORT = 7080;

  private final int defaultPort;

  Protocol(int defaultPort) {
    this.defaultPort = defaultPort;
  }

  /** Returns the port of an address of Ferry without one. */
  public int defaultPort() {
    return defaultPort;
  }

  /** Returns the name in lower case. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
