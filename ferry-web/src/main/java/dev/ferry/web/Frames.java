package dev.ferry.web;

import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;

/** gRPC's frames: a flag, a length of four bytes and so many bytes. */
final class Frames implements FrameCheck {
  private final FrameRules rules;
  private int headerBytes;
  private long left;

  /** Begins before the first frame. */
  Frames(FrameRules rules) {
    this.rules = rules;
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    int at = piece.readerIndex();
    while (at < piece.writerIndex()) {
      if (headerBytes == FrameRules.HEADER_BYTES && left > 0) {
        int skipped = (int) Math.min(left, piece.writerIndex() - at);
        left -= skipped;
        at += skipped;
      } else {
        header(piece.getUnsignedByte(at++));
      }
    }
  }

  private void header(int value) throws FerryException {
    if (headerBytes == FrameRules.HEADER_BYTES) {
      headerBytes = 0;
    }
    if (headerBytes++ == 0) {
      rules.begin(value);
      left = 0;
    } else {
      left = left << 8 | value;
    }
    if (headerBytes == FrameRules.HEADER_BYTES) {
      FrameRules.length(left);
    }
  }

  @Override
  public void end() throws FerryException {
    boolean between = headerBytes == 0 || (headerBytes == FrameRules.HEADER_BYTES && left == 0);
    if (!between) {
      throw FrameRules.cut();
    }
  }
}
