package dev.ferry.web;

/** How gRPC's messages and trailers stand in an HTTP body. */
public enum WebFormat {
  /** gRPC itself: trailers are HTTP's, which takes HTTP/2. */
  GRPC("gproto"),
  /** gRPC-Web: trailers are a last message. */
  GRPC_WEB("gproto-web"),
  /** gRPC-Web in base64: a third more bytes. */
  GRPC_WEB_TEXT("gproto-web-text");

  private final String scheme;

  WebFormat(String scheme) {
    this.scheme = scheme;
  }

  /** Its name in Armeria's URIs. */
  String scheme() {
    return scheme;
  }
}
