package dev.ferry.web;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;

/** gRPC's frames in base64, which may be padded wherever a sender's piece ended. */
final class TextFrames implements FrameCheck {
  private static final int QUARTET = 4;
  private static final int SIX_BITS = 6;

  private final Frames frames;
  private int chars;
  private int bits;
  private int padding;

  TextFrames(Frames frames) {
    this.frames = frames;
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    for (int at = piece.readerIndex(); at < piece.writerIndex(); at++) {
      accept(piece.getByte(at));
    }
  }

  private void accept(byte value) throws FerryException {
    if (value == '=') {
      if (chars < 2) {
        throw invalid("its padding is misplaced");
      }
      padding++;
      bits <<= SIX_BITS;
    } else {
      if (padding > 0) {
        throw invalid("its padding is misplaced");
      }
      bits = bits << SIX_BITS | sixBits(value);
    }
    if (++chars == QUARTET) {
      for (int i = 0; i < 3 - padding; i++) {
        frames.accept(bits >> (16 - 8 * i) & 0xff);
      }
      chars = 0;
      bits = 0;
      padding = 0;
    }
  }

  private static int sixBits(byte value) throws FerryException {
    if (value >= 'A' && value <= 'Z') {
      return value - 'A';
    }
    if (value >= 'a' && value <= 'z') {
      return value - 'a' + 26;
    }
    if (value >= '0' && value <= '9') {
      return value - '0' + 52;
    }
    if (value == '+') {
      return 62;
    }
    if (value == '/') {
      return 63;
    }
    throw invalid("0x%02x is no character of it".formatted(value));
  }

  @Override
  public void end() throws FerryException {
    if (chars > 0) {
      throw new FerryException(ErrorKind.INCOMPLETE, "the request's base64 is cut; send it whole");
    }
    frames.end();
  }

  private static FerryException invalid(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, "the request is no base64: " + why);
  }
}
