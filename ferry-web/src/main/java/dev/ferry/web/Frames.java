package dev.ferry.web;

import dev.ferry.contract.Limits;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** gRPC's frames: a flag, a length of four bytes and so many bytes. */
final class Frames implements FrameCheck {
  static final int HEADER_BYTES = 5;
  private static final int COMPRESSED = 1;
  private static final int TRAILERS = 0x80;

  /** Whose frames they are. */
  enum Side {
    REQUEST("the request", ErrorKind.INVALID_REQUEST, 0),
    GRPC_ANSWER("the answer", ErrorKind.INTERNAL, 0),
    WEB_ANSWER("the answer", ErrorKind.INTERNAL, TRAILERS);

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

    FerryException unsound(String why) {
      return new FerryException(fault, what + " is unsound: " + why);
    }
  }

  private final Side side;
  private final boolean compressed;
  private final boolean many;
  private int headerBytes;
  private int flags;
  private long left;
  private long messageBytes;
  private boolean any;
  private @Nullable WebTrailers trailers;

  /**
   * Begins before the first frame.
   *
   * @param compressed whether messages may be compressed
   * @param many whether more than one may come
   */
  Frames(Side side, boolean compressed, boolean many) {
    this.side = side;
    this.compressed = compressed;
    this.many = many;
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
    if (trailers != null && headerBytes == HEADER_BYTES) {
      throw side.unsound("something follows its trailers");
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
    if ((value & ~(COMPRESSED | side.trailers)) != 0) {
      throw side.unsound("a frame has the unknown flags 0x%02x".formatted(value));
    }
    if ((value & COMPRESSED) != 0 && !compressed) {
      throw side.unsound("a message is compressed, and no grpc-encoding says how");
    }
    flags = value;
    left = 0;
    if ((value & TRAILERS) != 0) {
      trailers = new WebTrailers((value & COMPRESSED) != 0);
      return;
    }
    if (any && !many) {
      throw side.unsound("a second message came where one is all there is");
    }
    any = true;
  }

  private void checkLength() throws FerryException {
    int limit = (flags & TRAILERS) == 0 ? Limits.MAX_MESSAGE : WebTrailers.MAX_BYTES;
    if (left > limit) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          side.what + " has a message of " + left + " bytes, over the limit of " + limit);
    }
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
      throw new FerryException(
          ErrorKind.INCOMPLETE, side.what + " ends within a message; it must come whole");
    }
  }
}
