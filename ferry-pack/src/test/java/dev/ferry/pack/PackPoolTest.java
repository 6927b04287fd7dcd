package dev.ferry.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class PackPoolTest {
  private static final int MESSAGES = 300;

  @ParameterizedTest
  @MethodSource("dev.ferry.pack.Packs#available")
  void pool_usedByThreadsAndFailing_losesNothing(PackCodec codec) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (PackPool pool = new PackPool(codec, 1, 2)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        Content content = new Content(Content.Kind.ROWS, i * 37, i);
        all.add(threads.submit(() -> roundTrip(pool, content.bytes())));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(pool.open()).isBetween(1, 4);
      pool.close();
      assertThat(pool.open()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  private static void roundTrip(PackPool pool, byte[] bytes) {
    ByteBuffer packed = ByteBuffer.allocateDirect(pool.bound(bytes.length));
    assertThatThrownBy(() -> pool.pack(ByteBuffer.wrap(bytes), ByteBuffer.allocate(3)))
        .isInstanceOf(IllegalArgumentException.class);
    pool.pack(ByteBuffer.wrap(bytes), packed);
    packed.flip();
    ByteBuffer cut = packed.duplicate().limit(packed.limit() - 1);
    assertThatThrownBy(() -> pool.unpack(cut, ByteBuffer.allocate(bytes.length)))
        .isInstanceOf(CorruptPackException.class);
    ByteBuffer target = ByteBuffer.allocate(bytes.length);
    try {
      pool.unpack(packed, target);
    } catch (CorruptPackException | UnpackedTooLargeException e) {
      throw new AssertionError(e);
    }
    assertThat(target.array()).isEqualTo(bytes);
  }

  @Test
  void pool_closed_refusesAndHoldsNothing() throws Exception {
    PackPool pool = new PackPool(PackCodec.GZIP_JDK, 6, 4);
    pool.pack(ByteBuffer.allocate(5), ByteBuffer.allocate(pool.bound(5)));
    pool.unpack(ByteBuffer.wrap(Packs.gzip(new byte[9])), ByteBuffer.allocate(9));
    assertThat(pool.open()).isEqualTo(2);

    pool.close();
    pool.close();

    assertThat(pool.open()).isZero();
    assertThatThrownBy(() -> pool.pack(ByteBuffer.allocate(5), ByteBuffer.allocate(99)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the pool is closed");
    assertThatThrownBy(() -> pool.unpack(ByteBuffer.allocate(20), ByteBuffer.allocate(99)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(pool.open()).isZero();
  }

  @Test
  void idle_moreThanTheBoundOrAfterTheEnd_areClosedWhenGivenBack() {
    AtomicInteger open = new AtomicInteger();
    IdleCodecs<Packer> idle =
        new IdleCodecs<>(() -> PackCodec.GZIP_JDK.newPacker(1), Packer::close, 1, open);
    Packer one = idle.take();
    Packer two = idle.take();
    Packer three = idle.take();
    assertThat(open).hasValue(3);

    idle.giveBack(one);
    idle.giveBack(two);
    assertThat(open).as("one idle, one at work").hasValue(2);
    assertThatThrownBy(() -> Packs.pack(two, new byte[1])).hasMessage("the packer is closed");
    assertThat(idle.take()).isSameAs(one);
    idle.giveBack(one);

    idle.close();
    assertThat(open).as("one at work").hasValue(1);
    idle.giveBack(three);
    assertThat(open).hasValue(0);
  }

  @Test
  void pool_keepingNothing_closesEach() {
    try (PackPool pool = new PackPool(PackCodec.GZIP_JDK, 1, 0)) {
      pool.pack(ByteBuffer.allocate(5), ByteBuffer.allocate(pool.bound(5)));
      assertThat(pool.open()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void pool_wrongLevelOrBound_saysWhichIsRight(PackCodec codec) {
    assertThatThrownBy(() -> new PackPool(codec, 77, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("level 77");
    assertThatThrownBy(() -> new PackPool(codec, 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxIdle -1");
    assertThatThrownBy(() -> codec.bound(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.bound(Integer.MAX_VALUE - 18))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in pieces");
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.pack.Packs#available")
  void codec_readOnlyTarget_writesNothing(PackCodec codec) {
    ByteBuffer memory = ByteBuffer.allocateDirect(200);
    ByteBuffer target = memory.asReadOnlyBuffer();
    try (Packer packer = codec.newPacker(1);
        Unpacker unpacker = codec.newUnpacker()) {
      ByteBuffer input = ByteBuffer.wrap(Packs.pack(packer, new byte[] {1, 2, 3}));

      assertThatThrownBy(() -> packer.pack(ByteBuffer.allocate(9), target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the target is read-only");
      assertThatThrownBy(() -> unpacker.unpack(input, target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the target is read-only");
    }
    assertThat(memory).isEqualTo(ByteBuffer.allocate(200));
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.pack.Packs#available")
  void codec_closedTwice_saysSoWhenUsed(PackCodec codec) {
    Packer packer = codec.newPacker(1);
    Unpacker unpacker = codec.newUnpacker();
    for (int i = 0; i < 2; i++) {
      packer.close();
      unpacker.close();
    }
    assertThatThrownBy(() -> Packs.pack(packer, new byte[1])).hasMessage("the packer is closed");
    assertThatThrownBy(() -> Packs.unpack(unpacker, new byte[9], 1))
        .hasMessage("the unpacker is closed");
  }
}
