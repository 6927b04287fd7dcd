package dev.ferry.web.internal.frame;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.web.internal.Side;
import io.netty.buffer.ByteBuf;
import java.util.Base64;

/**
 * Base64 to bytes, piece by piece; padding is taken wherever a sender's piece ended. For one
 * stream.
 *
 * <p>By way of arrays, although pieces stand in direct buffers: the JDK decodes whole arrays with
 * vector instructions where it can, at several times the speed of a loop of our own, and a block
 * stays in the core's first cache on its way in and out.
 */
public final class TextDecoder {
  public static final int QUARTET = 4;
  private static final int TRIPLET = 3;

  /** Sizes of blocks in characters: the JDK decodes whole arrays only. */
  private static final int LARGE = 8192;

  private static final int SMALL = 512;
  private static final int LAST = 2;

  private final Base64.Decoder decoder = Base64.getDecoder();
  private final Scratch texts = new Scratch(LARGE, SMALL, QUARTET);
  private final Scratch plains =
      new Scratch(LARGE / QUARTET * TRIPLET, SMALL / QUARTET * TRIPLET, TRIPLET);
  private final byte[] quartet = new byte[QUARTET];
  private final Side side;
  private int pending;

  public TextDecoder(Side side) {
    this.side = side;
  }

  /** Most bytes that a piece decodes to. */
  public static int bound(int chars) {
    return (chars / QUARTET + 1) * TRIPLET;
  }

  /**
   * Decodes all that is readable.
   *
   * @param target has room for the {@link #bound}
   */
  public void decode(ByteBuf text, ByteBuf target) throws FerryException {
    while (pending > 0 && text.isReadable()) {
      quartet[pending++] = text.readByte();
      if (pending == QUARTET) {
        pending = 0;
        decode(quartet, LAST, target);
      }
    }
    int block = 0;
    while (text.readableBytes() >= QUARTET) {
      byte[] chars = texts.get(block);
      if (text.readableBytes() < chars.length) {
        block++;
        continue;
      }
      text.getBytes(text.readerIndex(), chars);
      int bytes = decode(chars, block, target);
      if (bytes < 0) {
        // There is padding within, or it is no base64: smaller blocks will show.
        block++;
        continue;
      }
      text.skipBytes(chars.length);
      block = block == LAST && bytes < TRIPLET ? 0 : block;
    }
    while (text.isReadable()) {
      quartet[pending++] = text.readByte();
    }
  }

  /** Gives the number of bytes; negative where a block of many quartets cannot be decoded. */
  private int decode(byte[] chars, int block, ByteBuf target) throws FerryException {
    byte[] bytes = plains.get(block);
    try {
      int n = decoder.decode(chars, bytes);
      target.writeBytes(bytes, 0, n);
      return n;
    } catch (IllegalArgumentException e) {
      if (block < LAST) {
        return -1;
      }
      throw side.unsound("it is no base64: " + e.getMessage());
    }
  }

  /** The text has ended. */
  public void end() throws FerryException {
    if (pending > 0) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, side.what() + " ends within its base64; it must come whole");
    }
  }
}
