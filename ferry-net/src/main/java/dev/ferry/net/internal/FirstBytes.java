package dev.ferry.net.internal;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;

/**
 * Tells from the first bytes of a connection which protocol it is, and when the head of its first
 * request of HTTP/1.1 has come. For one thread.
 */
final class FirstBytes {
  /** What is known. */
  enum Verdict {
    /** Nothing yet. */
    UNKNOWN,
    /** It is HTTP/1.1, and the head of the first request has not come whole. */
    HTTP1_HEAD,
    /** It is HTTP/1.1, and a request has come. */
    HTTP1,
    /** It is HTTP/2. */
    HTTP2
  }

  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private Verdict verdict = Verdict.UNKNOWN;
  private int matched;
  private boolean begun;
  private boolean lineEnded;

  Verdict verdict() {
    return verdict;
  }

  /**
   * Looks at bytes, and leaves them as they are.
   *
   * @return where the bytes behind those that it looked at begin
   */
  int scan(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (at < end && (verdict == Verdict.UNKNOWN || verdict == Verdict.HTTP1_HEAD)) {
      take(bytes.getByte(at++));
    }
    return at;
  }

  private void take(byte value) {
    if (verdict == Verdict.UNKNOWN) {
      if (value != PREFACE.getByte(PREFACE.readerIndex() + matched)) {
        verdict = Verdict.HTTP1_HEAD;
      } else if (++matched == PREFACE.readableBytes()) {
        verdict = Verdict.HTTP2;
      }
    }
    // A head ends with an empty line; the preface of HTTP/2 has one as well.
    if (value == '\n') {
      if (lineEnded && begun && verdict == Verdict.HTTP1_HEAD) {
        verdict = Verdict.HTTP1;
      }
      lineEnded = true;
    } else if (value != '\r') {
      begun = true;
      lineEnded = false;
    }
  }
}
