package dev.ferry.web;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.util.Arrays;

/** gRPC's frames in base64, which may be padded wherever a sender's piece ended. */
final class TextFrames implements FrameCheck {
  private static final int QUARTET = 4;
  private static final int SIX_BITS = 6;
  private static final byte[] VALUES = values();

  private final Frames frames;
  private final Frames.Side side;
  private int chars;
  private int bits;
  private int padding;

  TextFrames(Frames frames, Frames.Side side) {
    this.frames = frames;
    this.side = side;
  }

  private static byte[] values() {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      values[alphabet.charAt(i)] = (byte) i;
    }
    return values;
  }

  /** Lets what is thrown out of a walk over a buffer. */
  private final class Walk implements ByteProcessor {
    @Override
    public boolean process(byte value) throws FerryException {
      accept(value);
      return true;
    }
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    // Byte by byte, each would be a checked access of its own.
    piece.forEachByte(new Walk());
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
      int six = VALUES[value & 0xff];
      if (six < 0) {
        throw invalid("0x%02x is no character of it".formatted(value));
      }
      bits = bits << SIX_BITS | six;
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

  @Override
  public void end() throws FerryException {
    if (chars > 0) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, side.what() + " ends within its base64; it must come whole");
    }
    frames.end();
  }

  private FerryException invalid(String why) {
    return side.unsound("it is no base64: " + why);
  }
}
