package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.ferry.core.Generated;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** zstd against the library's own streams, from and to any buffer, and against damage. */
class ZstdTest {
  @BeforeEach
  void assumeZstd() {
    assumeTrue(
        CompressionCodec.ZSTD.available(), () -> CompressionCodec.ZSTD.obstacle().orElseThrow());
  }

  @Test
  void compress_anyBytesAndBuffers_theLibrarysStreamReadsThem() {
    Generated.check(300, ZstdTest::assertTheLibraryReadsIt);
  }

  private static void assertTheLibraryReadsIt(Generated generated) throws IOException {
    byte[] bytes = Content.any(generated).bytes();
    ByteBuffer input = generated.of(BufferShape.class).of(bytes);
    int level = generated.between(1, 9);
    try (Compressor compressor = CompressionCodec.ZSTD.newCompressor(level)) {
      int room = compressor.bound(bytes.length);
      ByteBuffer target = generated.of(BufferShape.writable()).room(room);

      int compressed = compressor.compress(input, target);

      byte[] written = BufferShape.written(target);
      assertThat(compressed).isEqualTo(written.length).isLessThanOrEqualTo(room);
      assertThat(BufferShape.marginsAreWhole(target, room)).isTrue();
      assertThat(input.hasRemaining()).isFalse();
      assertThat(BufferShape.written(input)).isEqualTo(bytes);
      assertThat(decode(written)).isEqualTo(bytes);
      assertThat(CompressionCodec.ZSTD.decompressedSize(ByteBuffer.wrap(written)))
          .hasValue(bytes.length);
      assertThat(written[4] & 4).as("checksum flag").isEqualTo(4);
    }
  }

  @Test
  void decompress_framesOfAnyKindOnEnd_sameBytes() {
    Generated.check(300, ZstdTest::assertReadsFramesOnEnd);
  }

  private static void assertReadsFramesOnEnd(Generated generated) throws IOException {
    byte[] bytes = Content.any(generated).bytes();
    int level = generated.between(1, 9);
    byte[] frame = generated.flag() ? encode(bytes, level) : Zstd.compress(bytes, level);
    boolean skippable = generated.flag();
    int frames = generated.between(1, 3);
    int spare = generated.between(0, 3);
    byte[] skipped = {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < frames; i++) {
      all.writeBytes(frame);
      expected.writeBytes(bytes);
      if (skippable) {
        all.writeBytes(skipped);
      }
    }
    ByteBuffer input = generated.of(BufferShape.class).of(all.toByteArray());
    ByteBuffer target = generated.of(BufferShape.writable()).room(expected.size() + spare);
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      assertThat(decompressor.decompress(input, target)).isEqualTo(expected.size());
    }
    assertThat(BufferShape.written(target)).isEqualTo(expected.toByteArray());
    assertThat(BufferShape.marginsAreWhole(target, expected.size() + spare)).isTrue();
    assertThat(input.hasRemaining()).isFalse();
  }

  @Test
  void decompress_damagedAnywhere_rightBytesOrAnError() {
    Generated.check(2000, ZstdTest::assertRightBytesOrAnError);
  }

  private static void assertRightBytesOrAnError(Generated input) throws IOException {
    byte[] bytes = Content.upTo(input, 1500).bytes();
    int level = input.between(1, 9);
    byte[] damaged = compressed(bytes, level);
    int place = input.between(0, 99);
    int at = place < 20 ? Math.min(place, damaged.length - 1) : place * damaged.length / 100;
    damaged[at] ^= (byte) input.between(1, 255);
    if (input.flag()) {
      damaged =
          AllCodecs.concat(
              Arrays.copyOf(damaged, at), Arrays.copyOfRange(damaged, at + 1, damaged.length));
    }
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      try {
        assertThat(AllCodecs.decompress(decompressor, damaged, bytes.length + 100))
            .isEqualTo(bytes);
      } catch (CorruptDataException | DecompressedTooLargeException e) {
        assertThat(e).message().doesNotContain("\n");
        assertThat(AllCodecs.decompress(decompressor, compressed(bytes, level), bytes.length))
            .isEqualTo(bytes);
      }
    }
  }

  @Test
  void decompress_cutAnywhere_saysSo() {
    Generated.check(40, ZstdTest::assertSaysThatItIsCut);
  }

  private static void assertSaysThatItIsCut(Generated generated) throws IOException {
    byte[] bytes = Content.tiny(generated).bytes();
    byte[] compressed = compressed(bytes, 1);
    BufferShape shape = generated.of(BufferShape.DIRECT, BufferShape.HEAP);
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      for (int length = 0; length < compressed.length; length++) {
        ByteBuffer input = shape.of(Arrays.copyOf(compressed, length));
        ByteBuffer target = shape.room(bytes.length);
        int before = target.position();

        assertThatThrownBy(() -> decompressor.decompress(input, target))
            .as("first %d of %d bytes", length, compressed.length)
            .isInstanceOf(CorruptDataException.class)
            .hasMessageStartingWith("corrupt zstd: ");
        assertThat(target.position()).isEqualTo(before);
        assertThat(input.remaining()).isEqualTo(length);
      }
      assertThat(AllCodecs.decompress(decompressor, compressed, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void decompress_rubbishBehind_saysSo() {
    Generated.check(
        200,
        input -> {
          Content content = Content.upTo(input, 1500);
          byte[] rubbish = AllCodecs.concat(new byte[] {input.anyByte()}, input.bytes(39));
          byte[] compressed = AllCodecs.concat(compressed(content.bytes(), 1), rubbish);
          try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
            assertThatThrownBy(
                    () -> AllCodecs.decompress(decompressor, compressed, content.size() + 10))
                .isInstanceOf(CorruptDataException.class);
          }
        });
  }

  @Test
  void decompress_moreThanThereIsRoomFor_saysSo() {
    Generated.check(300, ZstdTest::assertSaysThatThereIsNoRoom);
  }

  private static void assertSaysThatThereIsNoRoom(Generated input) throws IOException {
    byte[] bytes = AllCodecs.concat(Content.any(input).bytes(), new byte[1]);
    // A stream does not state its length, so that the library has to notice.
    byte[] compressed = input.flag() ? encode(bytes, 1) : compressed(bytes, 1);
    int room = (int) (input.between(0, 99) * (bytes.length - 1L) / 100);
    ByteBuffer target = input.of(BufferShape.writable()).room(room);
    int before = target.position();
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      assertThatThrownBy(() -> decompressor.decompress(ByteBuffer.wrap(compressed), target))
          .isInstanceOf(DecompressedTooLargeException.class)
          .hasMessageContaining("the " + room + " bytes");
      assertThat(target.position()).isEqualTo(before);
      assertThat(BufferShape.marginsAreWhole(target, room)).isTrue();
    }
  }

  @Test
  void decompress_oldOrForeignFormat_saysWhereNoFrameBegins() {
    byte[] compressed = compressed(new byte[100], 1);
    byte[] old = compressed.clone();
    old[0] = 0x27; // zstd 0.7
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      assertThatThrownBy(() -> AllCodecs.decompress(decompressor, old, 100))
          .hasMessage("corrupt zstd: no frame begins at byte 0");
      assertThatThrownBy(
              () -> AllCodecs.decompress(decompressor, AllCodecs.concat(compressed, old), 100))
          .hasMessage("corrupt zstd: no frame begins at byte " + compressed.length);
      assertThatThrownBy(
              () -> AllCodecs.decompress(decompressor, AllCodecs.gzip(new byte[100]), 100))
          .hasMessage("corrupt zstd: no frame begins at byte 0");
    }
    assertThatThrownBy(() -> CompressionCodec.ZSTD.decompressedSize(ByteBuffer.wrap(old)))
        .isInstanceOf(CorruptDataException.class);
  }

  @Test
  void label_ofTheCodec_hasTheVersionOfTheRootPom() {
    assertThat(CompressionCodec.ZSTD.label())
        .isEqualTo("zstd-jni " + Zstd.class.getPackage().getImplementationVersion());
  }

  @Test
  void decompressedSize_streamed_isOpen() throws IOException {
    assertThat(CompressionCodec.ZSTD.decompressedSize(ByteBuffer.wrap(encode(new byte[100], 1))))
        .isEmpty();
  }

  @Test
  void bound_anyLength_isTheLibrarys() {
    Generated.check(
        500,
        input -> {
          int length = input.between(0, 2_000_000_000);
          assertThat((long) CompressionCodec.ZSTD.bound(length))
              .isEqualTo(Zstd.compressBound(length));
        });
  }

  private static byte[] compressed(byte[] bytes, int level) {
    try (Compressor compressor = CompressionCodec.ZSTD.newCompressor(level)) {
      return AllCodecs.compress(compressor, bytes);
    }
  }

  private static byte[] encode(byte[] bytes, int level) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStream zstd = new ZstdOutputStream(out, level)) {
      zstd.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] decode(byte[] compressed) throws IOException {
    try (ZstdInputStream zstd = new ZstdInputStream(new ByteArrayInputStream(compressed))) {
      return zstd.readAllBytes();
    }
  }
}
