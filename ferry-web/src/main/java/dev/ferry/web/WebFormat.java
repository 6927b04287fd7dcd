package dev.ferry.web;

/** How gRPC-Web messages and trailers are encoded in an HTTP body. */
public enum WebFormat {
  /** Binary. The trailers are the last frame. */
  GRPC_WEB,
  /** Base64, which needs a third more bytes. */
  GRPC_WEB_TEXT
}
