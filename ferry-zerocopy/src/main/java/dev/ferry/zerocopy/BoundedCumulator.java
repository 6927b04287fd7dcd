package dev.ferry.zerocopy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * A cumulator that collects the reads of a frame without copying, up to {@link #MAX_PARTS}. Beyond
 * that it copies, as Netty's default cumulator does. Without the bound, a frame that arrives byte
 * by byte would keep one read buffer for each byte.
 */
final class BoundedCumulator implements ByteToMessageDecoder.Cumulator {
  /** Maximum number of reads kept. A frame of 512 KiB in the smallest buffers of 16 KiB has 33. */
  static final int MAX_PARTS = 64;

  static final BoundedCumulator INSTANCE = new BoundedCumulator();

  private BoundedCumulator() {}

  @Override
  public ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf cumulation, ByteBuf in) {
    boolean full =
        cumulation instanceof CompositeByteBuf parts && parts.numComponents() >= MAX_PARTS;
    return (full ? ByteToMessageDecoder.MERGE_CUMULATOR : ByteToMessageDecoder.COMPOSITE_CUMULATOR)
        .cumulate(allocator, cumulation, in);
  }
}
