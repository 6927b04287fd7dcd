package dev.ferry.wire.internal;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;

/**
 * Detects the protocol of a connection from its first bytes, and the end of the head of the first
 * HTTP/1.1 request. Not thread-safe.
 */
final class FirstBytes {
  /** The detected state. */
  enum Protocol {
    /** The protocol is not known yet. */
    UNKNOWN,
    /** HTTP/1.1; the head of the first request is incomplete. */
    HTTP1_HEAD,
    /** HTTP/1.1; the head of the first request is complete. */
    HTTP1,
    /** HTTP/2. */
    HTTP2
  }

  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private Protocol protocol = Protocol.UNKNOWN;
  private int matched;
  private boolean begun;
  private boolean lineEnded;

  Protocol protocol() {
    return protocol;
  }

  /** Whether this is not HTTP/2. */
  boolean isHttp1() {
    return protocol == Protocol.HTTP1_HEAD || protocol == Protocol.HTTP1;
  }

  /**
   * Scans readable bytes without consuming them.
   *
   * @return the index of the first byte that was not scanned
   */
  int scan(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (at < end && (protocol == Protocol.UNKNOWN || protocol == Protocol.HTTP1_HEAD)) {
      take(bytes.getByte(at++));
    }
    return at;
  }

  private void take(byte value) {
    if (protocol == Protocol.UNKNOWN) {
      if (value != PREFACE.getByte(PREFACE.readerIndex() + matched)) {
        protocol = Protocol.HTTP1_HEAD;
      } else if (++matched == PREFACE.readableBytes()) {
        protocol = Protocol.HTTP2;
      }
    }
    // An empty line ends the head of a request. The HTTP/2 preface also contains one.
    if (value == '\n') {
      if (lineEnded && begun && protocol == Protocol.HTTP1_HEAD) {
        protocol = Protocol.HTTP1;
      }
      lineEnded = true;
    } else if (value != '\r') {
      begun = true;
      lineEnded = false;
    }
  }
}
