package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.FrameRules;
import dev.ferry.wire.internal.contract.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages come out of a body as they went in, however it is split. */
class DeframerTest {
  @Test
  void next_anySplit_givesTheMessages() {
    Generated.check(
        150,
        input ->
            assertGivesTheMessages(
                new Random(input.anyLong()),
                input.list(0, 8, () -> input.size(5_000)),
                input.between(1, 2_000)));
  }

  private static void assertGivesTheMessages(Random random, List<Integer> sizes, int most)
      throws IOException {
    List<byte[]> messages = new ArrayList<>();
    ByteBuf body = Unpooled.buffer();
    for (int size : sizes) {
      byte[] message = new byte[size];
      random.nextBytes(message);
      messages.add(message);
      body.writeByte(0).writeInt(size).writeBytes(message);
    }
    Deframer deframer = new Deframer(new FrameRules(false, true), UnpooledByteBufAllocator.DEFAULT);
    List<byte[]> received = new ArrayList<>();
    List<ByteBuf> buffers = new ArrayList<>();
    while (body.isReadable()) {
      int bytes = Math.min(body.readableBytes(), 1 + random.nextInt(most));
      ByteBuf buffer = Unpooled.directBuffer(bytes).writeBytes(body, bytes);
      buffers.add(buffer);
      deframer.add(buffer);
      for (var frame = deframer.next(); frame != null; frame = deframer.next()) {
        MessageStream message = frame.message();
        message.mark(0);
        message.skip(message.available() / 2);
        message.reset();
        received.add(message.readNBytes(message.available()));
        message.close();
      }
    }
    deframer.end();
    assertThat(received).usingElementComparator(Arrays::compare).isEqualTo(messages);
    assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0);
  }

  @Test
  void add_longMessageByteByByte_takesMemoryForWhatArrived() throws IOException {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    Deframer deframer = new Deframer(new FrameRules(false, true), allocator);
    deframer.add(Unpooled.buffer().writeByte(0).writeInt(Limits.MAX_MESSAGE));
    List<ByteBuf> buffers = new ArrayList<>();
    for (int arrived = 1; arrived <= 10_000; arrived++) {
      ByteBuf buffer = Unpooled.buffer(1).writeByte(1);
      buffers.add(buffer);
      deframer.add(buffer);
      assertThat(deframer.next()).isNull();
      buffers.removeIf(b -> b.refCnt() == 0);
      assertThat(buffers.size()).isLessThan(8);
      assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(64 + 2L * arrived);
    }
    deframer.close();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }
}
