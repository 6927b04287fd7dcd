package dev.ferry.zerocopy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Views of memory as a buffer, which says when it is no longer used. */
final class OwningByteBuf extends CompositeByteBuf {
  private final Runnable released;

  /**
   * @param released runs once, when the last reference to the buffer is released
   */
  OwningByteBuf(Runnable released, ByteBuf... parts) {
    super(UnpooledByteBufAllocator.DEFAULT, true, Integer.MAX_VALUE, parts);
    this.released = released;
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    released.run();
  }
}
