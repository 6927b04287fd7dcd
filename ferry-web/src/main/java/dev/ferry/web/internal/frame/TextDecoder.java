package dev.ferry.web.internal.frame;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import java.util.Base64;

/**
 * Decodes base64 buffer by buffer. Padding is accepted at the end of each part that the sender
 * encoded. For one stream.
 *
 * <p>The decoder copies through arrays although the buffers are direct. The JDK decodes whole
 * arrays with vector instructions if possible, several times as fast as a custom loop, and a block
 * stays in the L1 cache. A block that contains padding cannot be decoded, which costs as much as
 * many that can. So the decoder looks for the next padding when it meets one, and not before: text
 * that was encoded in one part has only one.
 */
public final class TextDecoder {
  public static final int QUARTET = 4;
  private static final int TRIPLET = 3;

  /** Block sizes in characters. The JDK decodes only whole arrays. */
  private static final int LARGE = 8192;

  private static final int SMALL = 512;
  private static final int LAST = 2;
  private static final byte PADDING = '=';

  private final Base64.Decoder decoder = Base64.getDecoder();
  private final Scratch texts = new Scratch(LARGE, SMALL, QUARTET);
  private final Scratch plains =
      new Scratch(LARGE / QUARTET * TRIPLET, SMALL / QUARTET * TRIPLET, TRIPLET);
  private final byte[] quartet = new byte[QUARTET];
  private int pending;

  /** Returns the maximum number of bytes that this many characters decode to. */
  public static int bound(int chars) {
    return (chars / QUARTET + 1) * TRIPLET;
  }

  /**
   * Decodes all readable characters.
   *
   * @param target a buffer with space for {@link #bound} bytes
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
    int clear = Integer.MAX_VALUE;
    while (text.readableBytes() >= QUARTET) {
      byte[] chars = texts.get(block);
      if (block < LAST && Math.min(text.readableBytes(), clear) < chars.length) {
        block++;
        continue;
      }
      text.getBytes(text.readerIndex(), chars);
      int bytes = decode(chars, block, target);
      if (bytes < 0) {
        // The block contains padding or is not base64. Smaller blocks show which.
        clear = untilPadding(text);
        block++;
        continue;
      }
      text.skipBytes(chars.length);
      clear -= chars.length;
      if (block == LAST && bytes < TRIPLET) {
        clear = untilPadding(text);
        block = 0;
      }
    }
    while (text.isReadable()) {
      quartet[pending++] = text.readByte();
    }
  }

  /** Returns the number of characters before the next padding; many if it is not near. */
  private static int untilPadding(ByteBuf text) {
    int n = text.bytesBefore(Math.min(text.readableBytes(), LARGE), PADDING);
    return n < 0 ? Integer.MAX_VALUE : n;
  }

  /**
   * Returns the number of decoded bytes; negative if a block of several quartets cannot be decoded.
   */
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
      throw FrameRules.unsound("it is not base64: " + e.getMessage());
    }
  }

  /**
   * Ends the text.
   *
   * @throws FerryException if the text ends within a quartet
   */
  public void end() throws FerryException {
    if (pending > 0) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, "the request ends within its base64; it must come whole");
    }
  }
}
