package dev.ferry.web;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** gRPC's frames: a flag, a length of four bytes and so many bytes. */
final class Frames implements FrameCheck {
  private static final int HEADER_BYTES = FrameRules.HEADER_BYTES;

  /** Whose frames they are. */
  enum Side {
    REQUEST("the request", ErrorKind.INVALID_REQUEST, 0),
    GRPC_ANSWER("the answer", ErrorKind.INTERNAL, 0),
    WEB_ANSWER("the answer", ErrorKind.INTERNAL, FrameRules.TRAILERS);

    private final String what;
    private final ErrorKind fault;
    private final int trailers;

    Side(String what, ErrorKind fault, int trailers) {
      this.what = what;
      this.fault = fault;
      this.trailers = trailers;
    }

    String what() {
      return what;
    }

    /** Flags that stand for trailers; 0 where they are no message. */
    int trailers() {
      return trailers;
    }

    FerryException unsound(String why) {
      return new FerryException(fault, what + " is unsound: " + why);
    }
  }

  private final FrameRules rules;
  private int headerBytes;
  private long left;
  private long messageBytes;
  private @Nullable WebTrailers trailers;

  /** Begins before the first frame. */
  Frames(FrameRules rules) {
    this.rules = rules;
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    int at = piece.readerIndex();
    while (at < piece.writerIndex()) {
      if (inFrame() && trailers == null) {
        int skipped = (int) Math.min(left, piece.writerIndex() - at);
        left -= skipped;
        messageBytes += skipped;
        at += skipped;
      } else {
        accept(piece.getByte(at++) & 0xff);
      }
    }
  }

  /** Takes one byte. */
  void accept(int value) throws FerryException {
    if (inFrame()) {
      left--;
      take(value);
      return;
    }
    if (headerBytes == HEADER_BYTES) {
      headerBytes = 0;
    }
    if (headerBytes++ == 0) {
      begin(value);
    } else {
      left = left << 8 | value;
    }
    if (headerBytes == HEADER_BYTES) {
      checkLength();
    }
  }

  private boolean inFrame() {
    return headerBytes == HEADER_BYTES && left > 0;
  }

  private void take(int value) throws FerryException {
    WebTrailers current = trailers;
    if (current == null) {
      messageBytes++;
      return;
    }
    current.add(value);
    if (left == 0) {
      current.check();
    }
  }

  private void begin(int value) throws FerryException {
    rules.begin(value);
    left = 0;
    if (rules.isTrailers()) {
      trailers = new WebTrailers(rules.isCompressed());
    }
  }

  private void checkLength() throws FerryException {
    rules.length(left);
    if (left == 0 && trailers != null) {
      trailers.check();
    }
  }

  /** Bytes of the messages so far, as they are encoded, without what frames them. */
  long messageBytes() {
    return messageBytes;
  }

  /** Whether the trailers came as a last message, whole and with a status. */
  boolean hasStatus() {
    return trailers != null && headerBytes == HEADER_BYTES && left == 0;
  }

  @Override
  public void end() throws FerryException {
    boolean between = headerBytes == 0 || (headerBytes == HEADER_BYTES && left == 0);
    if (!between) {
      throw rules.cut();
    }
  }
}
