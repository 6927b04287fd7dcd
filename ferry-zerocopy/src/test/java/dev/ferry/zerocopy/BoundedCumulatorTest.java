package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BoundedCumulatorTest {
  private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

  private static ByteBuf read(byte[] bytes, int at, int length) {
    return ALLOCATOR.directBuffer(16 * 1024).writeBytes(bytes, at, length);
  }

  @Test
  void cumulate_ofAFrameByteByByte_keepsFewBuffersAndAllBytes() {
    byte[] bytes = new byte[20_000];
    new Random(1).nextBytes(bytes);
    ByteBuf cumulation = Unpooled.EMPTY_BUFFER;
    for (int i = 0; i < bytes.length; i++) {
      cumulation = BoundedCumulator.INSTANCE.cumulate(ALLOCATOR, cumulation, read(bytes, i, 1));
    }
    assertThat(cumulation).isInstanceOf(CompositeByteBuf.class);
    assertThat(((CompositeByteBuf) cumulation).numComponents())
        .isLessThan(2 * BoundedCumulator.MAX_PARTS);
    assertThat(ByteBufUtil.getBytes(cumulation)).isEqualTo(bytes);
    cumulation.release();
  }

  @Test
  void cumulate_ofAsManyReadsAsAFrameHas_copiesNothing() {
    byte[] bytes = new byte[32 * 16 * 1024];
    ByteBuf cumulation = Unpooled.EMPTY_BUFFER;
    for (int i = 0; i < 32; i++) {
      ByteBuf part = read(bytes, i * 16 * 1024, 16 * 1024);
      cumulation = BoundedCumulator.INSTANCE.cumulate(ALLOCATOR, cumulation, part);
    }
    assertThat(((CompositeByteBuf) cumulation).numComponents()).isEqualTo(32);
    cumulation.release();
  }
}
