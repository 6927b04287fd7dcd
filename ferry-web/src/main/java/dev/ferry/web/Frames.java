package dev.ferry.web;

import dev.ferry.contract.Limits;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;

/** gRPC's frames: a flag, a length of four bytes and so many bytes. */
final class Frames implements FrameCheck {
  private static final int HEADER_BYTES = 5;

  private final boolean compressed;
  private final boolean many;
  private int headerBytes;
  private long left;
  private boolean any;

  /**
   * Begins before the first frame.
   *
   * @param compressed whether messages may be compressed
   * @param many whether more than one may come
   */
  Frames(boolean compressed, boolean many) {
    this.compressed = compressed;
    this.many = many;
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    int at = piece.readerIndex();
    while (at < piece.writerIndex()) {
      if (headerBytes == HEADER_BYTES && left > 0) {
        int skipped = (int) Math.min(left, piece.writerIndex() - at);
        left -= skipped;
        at += skipped;
      } else {
        accept(piece.getByte(at++) & 0xff);
      }
    }
  }

  /** Takes one byte. */
  void accept(int value) throws FerryException {
    if (headerBytes == HEADER_BYTES && left > 0) {
      left--;
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
    if (headerBytes == HEADER_BYTES && left > Limits.MAX_MESSAGE) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "a message of " + left + " bytes is over the limit of " + Limits.MAX_MESSAGE);
    }
  }

  private void begin(int value) throws FerryException {
    if (value > 1) {
      throw invalid("a frame has the flags 0x%02x: 0 and 1 are all there is".formatted(value));
    }
    if (value == 1 && !compressed) {
      throw invalid("a message is compressed, and no grpc-encoding says how");
    }
    if (any && !many) {
      throw invalid("a second message came where one is all there is");
    }
    any = true;
    left = 0;
  }

  @Override
  public void end() throws FerryException {
    boolean between = headerBytes == 0 || (headerBytes == HEADER_BYTES && left == 0);
    if (!between) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, "the request ends within a message; send it whole");
    }
  }

  private static FerryException invalid(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, why);
  }
}
