package dev.ferry.net.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * Collects the reads of a frame without copying them, up to a number that no honest sender reaches:
 * a frame that drips in byte by byte would otherwise keep a read buffer for each. From there on it
 * copies, as Netty does by default.
 */
public final class BoundedCumulator implements ByteToMessageDecoder.Cumulator {
  /** Reads of a frame that are kept; one of 512 KiB in the smallest buffers of 16 KiB has 33. */
  static final int MAX_PARTS = 64;

  public static final BoundedCumulator INSTANCE = new BoundedCumulator();

  private BoundedCumulator() {}

  @Override
  public ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf cumulation, ByteBuf in) {
    boolean full =
        cumulation instanceof CompositeByteBuf parts && parts.numComponents() >= MAX_PARTS;
    return (full ? ByteToMessageDecoder.MERGE_CUMULATOR : ByteToMessageDecoder.COMPOSITE_CUMULATOR)
        .cumulate(allocator, cumulation, in);
  }
}
