package dev.ferry.web.internal.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;

/**
 * Encodes bytes as base64 buffer by buffer, with padding only at the end. Bytes that do not fill
 * the last characters of a buffer wait for the next buffer. For one stream. It copies through
 * arrays for the reason given in {@link TextDecoder}.
 */
public final class TextEncoder {
  private static final int TRIPLET = 3;

  /** Block sizes in bytes. The JDK encodes only whole arrays. */
  private static final int[] BLOCKS = {6144, 384, TRIPLET};

  private final Base64.Encoder encoder = Base64.getEncoder();
  private final Scratch plains = new Scratch(BLOCKS);
  private final Scratch texts =
      new Scratch(IntStream.of(BLOCKS).map(n -> n / TRIPLET * TextDecoder.QUARTET).toArray());
  private final byte[] triplet = new byte[TRIPLET];
  private int pending;

  /**
   * Encodes all readable bytes.
   *
   * @return a buffer that the caller releases
   */
  public ByteBuf encode(ByteBuf plain, ByteBufAllocator allocator) {
    int size = (pending + plain.readableBytes()) / TRIPLET * TextDecoder.QUARTET;
    ByteBuf text = allocator.directBuffer(size, size);
    while (pending > 0 && plain.isReadable()) {
      triplet[pending++] = plain.readByte();
      if (pending == TRIPLET) {
        pending = 0;
        text.writeBytes(encoder.encode(triplet));
      }
    }
    for (int block = 0; block < BLOCKS.length; block++) {
      while (plain.readableBytes() >= BLOCKS[block]) {
        byte[] bytes = plains.get(block);
        byte[] chars = texts.get(block);
        plain.readBytes(bytes);
        text.writeBytes(chars, 0, encoder.encode(bytes, chars));
      }
    }
    while (plain.isReadable()) {
      triplet[pending++] = plain.readByte();
    }
    return text;
  }

  /** Encodes the waiting bytes with padding. The result may be empty. */
  public ByteBuf end() {
    byte[] rest = Arrays.copyOf(triplet, pending);
    pending = 0;
    return Unpooled.wrappedBuffer(encoder.encode(rest));
  }
}
