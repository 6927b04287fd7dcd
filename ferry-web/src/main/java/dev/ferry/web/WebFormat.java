package dev.ferry.web;

/** How gRPC-Web's messages and trailers stand in an HTTP body. */
public enum WebFormat {
  /** As they are; the trailers are a last frame. */
  GRPC_WEB,
  /** In base64: a third more bytes. */
  GRPC_WEB_TEXT
}
