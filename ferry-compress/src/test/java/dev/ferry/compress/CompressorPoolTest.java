package dev.ferry.compress;

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

final class CompressorPoolTest {
  private static final int MESSAGES = 300;

  @ParameterizedTest
  @MethodSource("dev.ferry.compress.AllCodecs#available")
  void pool_usedByThreadsAndFailing_losesNothing(CompressionCodec codec) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (CompressorPool pool = new CompressorPool(codec, 1, 2)) {
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

  private static void roundTrip(CompressorPool pool, byte[] bytes) {
    ByteBuffer compressed = ByteBuffer.allocateDirect(pool.bound(bytes.length));
    assertThatThrownBy(() -> pool.compress(ByteBuffer.wrap(bytes), ByteBuffer.allocate(3)))
        .isInstanceOf(IllegalArgumentException.class);
    pool.compress(ByteBuffer.wrap(bytes), compressed);
    compressed.flip();
    ByteBuffer cut = compressed.duplicate().limit(compressed.limit() - 1);
    assertThatThrownBy(() -> pool.decompress(cut, ByteBuffer.allocate(bytes.length)))
        .isInstanceOf(CorruptDataException.class);
    ByteBuffer target = ByteBuffer.allocate(bytes.length);
    try {
      pool.decompress(compressed, target);
    } catch (CorruptDataException | DecompressedTooLargeException e) {
      throw new AssertionError(e);
    }
    assertThat(target.array()).isEqualTo(bytes);
  }

  @Test
  void pool_closed_refusesAndHoldsNothing() throws Exception {
    CompressorPool pool = new CompressorPool(CompressionCodec.GZIP_JDK, 6, 4);
    pool.compress(ByteBuffer.allocate(5), ByteBuffer.allocate(pool.bound(5)));
    pool.decompress(ByteBuffer.wrap(AllCodecs.gzip(new byte[9])), ByteBuffer.allocate(9));
    assertThat(pool.open()).isEqualTo(2);

    pool.close();
    pool.close();

    assertThat(pool.open()).isZero();
    assertThatThrownBy(() -> pool.compress(ByteBuffer.allocate(5), ByteBuffer.allocate(99)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the pool is closed");
    assertThatThrownBy(() -> pool.decompress(ByteBuffer.allocate(20), ByteBuffer.allocate(99)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(pool.open()).isZero();
  }

  @Test
  void idle_moreThanTheBoundOrAfterTheEnd_areClosedWhenGivenBack() {
    AtomicInteger open = new AtomicInteger();
    IdlePool<Compressor> idle =
        new IdlePool<>(
            () -> CompressionCodec.GZIP_JDK.newCompressor(1), Compressor::close, 1, open);
    Compressor one = idle.take();
    Compressor two = idle.take();
    Compressor three = idle.take();
    assertThat(open).hasValue(3);

    idle.giveBack(one);
    idle.giveBack(two);
    assertThat(open).as("one idle, one at work").hasValue(2);
    assertThatThrownBy(() -> AllCodecs.compress(two, new byte[1]))
        .hasMessage("the compressor is closed");
    assertThat(idle.take()).isSameAs(one);
    idle.giveBack(one);

    idle.close();
    assertThat(open).as("one at work").hasValue(1);
    idle.giveBack(three);
    assertThat(open).hasValue(0);
  }

  @Test
  void pool_keepingNothing_closesEach() {
    try (CompressorPool pool = new CompressorPool(CompressionCodec.GZIP_JDK, 1, 0)) {
      pool.compress(ByteBuffer.allocate(5), ByteBuffer.allocate(pool.bound(5)));
      assertThat(pool.open()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void pool_wrongLevelOrBound_saysWhichIsRight(CompressionCodec codec) {
    assertThatThrownBy(() -> new CompressorPool(codec, 77, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("level 77");
    assertThatThrownBy(() -> new CompressorPool(codec, 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxIdle -1");
    assertThatThrownBy(() -> codec.bound(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.bound(Integer.MAX_VALUE - 18))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in chunks");
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.compress.AllCodecs#available")
  void codec_readOnlyTarget_writesNothing(CompressionCodec codec) {
    ByteBuffer memory = ByteBuffer.allocateDirect(200);
    ByteBuffer target = memory.asReadOnlyBuffer();
    try (Compressor compressor = codec.newCompressor(1);
        Decompressor decompressor = codec.newDecompressor()) {
      ByteBuffer input = ByteBuffer.wrap(AllCodecs.compress(compressor, new byte[] {1, 2, 3}));

      assertThatThrownBy(() -> compressor.compress(ByteBuffer.allocate(9), target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the target is read-only");
      assertThatThrownBy(() -> decompressor.decompress(input, target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the target is read-only");
    }
    assertThat(memory).isEqualTo(ByteBuffer.allocate(200));
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.compress.AllCodecs#available")
  void codec_closedTwice_saysSoWhenUsed(CompressionCodec codec) {
    Compressor compressor = codec.newCompressor(1);
    Decompressor decompressor = codec.newDecompressor();
    for (int i = 0; i < 2; i++) {
      compressor.close();
      decompressor.close();
    }
    assertThatThrownBy(() -> AllCodecs.compress(compressor, new byte[1]))
        .hasMessage("the compressor is closed");
    assertThatThrownBy(() -> AllCodecs.decompress(decompressor, new byte[9], 1))
        .hasMessage("the decompressor is closed");
  }
}
