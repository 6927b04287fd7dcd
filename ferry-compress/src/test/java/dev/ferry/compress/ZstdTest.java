package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** zstd against the library's own streams, from and to any buffer, and against damage. */
class ZstdTest {
  @BeforeEach
  @BeforeTry
  void assumeZstd() {
    assumeTrue(
        CompressionCodec.ZSTD.available(), () -> CompressionCodec.ZSTD.obstacle().orElseThrow());
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void compress_anyBytesAndBuffers_theLibrarysStreamReadsThem(
      @ForAll @IntRange(min = 1, max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to)
      throws IOException {
    byte[] bytes = content.bytes();
    ByteBuffer input = from.of(bytes);
    try (Compressor compressor = CompressionCodec.ZSTD.newCompressor(level)) {
      int room = compressor.bound(bytes.length);
      ByteBuffer target = to.room(room);

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

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void decompress_framesOfAnyKindOnEnd_sameBytes(
      @ForAll @IntRange(min = 1, max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll boolean streamed,
      @ForAll @IntRange(min = 1, max = 3) int frames,
      @ForAll boolean skippable,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to,
      @ForAll @IntRange(max = 3) int spare)
      throws IOException {
    byte[] bytes = content.bytes();
    byte[] frame = streamed ? encode(bytes, level) : Zstd.compress(bytes, level);
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
    ByteBuffer input = from.of(all.toByteArray());
    ByteBuffer target = to.room(expected.size() + spare);
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      assertThat(decompressor.decompress(input, target)).isEqualTo(expected.size());
    }
    assertThat(BufferShape.written(target)).isEqualTo(expected.toByteArray());
    assertThat(BufferShape.marginsAreWhole(target, expected.size() + spare)).isTrue();
    assertThat(input.hasRemaining()).isFalse();
  }

  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void decompress_damagedAnywhere_rightBytesOrAnError(
      @ForAll("small") Content content,
      @ForAll @IntRange(min = 1, max = 9) int level,
      @ForAll @IntRange(max = 99) int place,
      @ForAll boolean shift,
      @ForAll @IntRange(min = 1, max = 255) int flip)
      throws IOException {
    byte[] bytes = content.bytes();
    byte[] damaged = compressed(bytes, level);
    int at = place < 20 ? Math.min(place, damaged.length - 1) : place * damaged.length / 100;
    damaged[at] ^= (byte) flip;
    if (shift) {
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

  @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
  void decompress_cutAnywhere_saysSo(
      @ForAll Content.Kind kind, @ForAll @IntRange(max = 300) int size, @ForAll boolean direct)
      throws IOException {
    byte[] bytes = new Content(kind, size, size).bytes();
    byte[] compressed = compressed(bytes, 1);
    BufferShape shape = direct ? BufferShape.DIRECT : BufferShape.HEAP;
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

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void decompress_rubbishBehind_saysSo(
      @ForAll("small") Content content, @ForAll @Size(min = 1, max = 40) byte[] rubbish) {
    byte[] compressed = AllCodecs.concat(compressed(content.bytes(), 1), rubbish);
    try (Decompressor decompressor = CompressionCodec.ZSTD.newDecompressor()) {
      assertThatThrownBy(() -> AllCodecs.decompress(decompressor, compressed, content.size() + 10))
          .isInstanceOf(CorruptDataException.class);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void decompress_moreThanThereIsRoomFor_saysSo(
      @ForAll("contents") Content content,
      @ForAll @IntRange(max = 99) int percent,
      @ForAll boolean streamed,
      @ForAll("writable") BufferShape to)
      throws IOException {
    byte[] bytes = AllCodecs.concat(content.bytes(), new byte[1]);
    // A stream does not state its length, so that the library has to notice.
    byte[] compressed = streamed ? encode(bytes, 1) : compressed(bytes, 1);
    int room = (int) (percent * (bytes.length - 1L) / 100);
    ByteBuffer target = to.room(room);
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

  @Property(tries = 500)
  void bound_anyLength_isTheLibrarys(@ForAll @IntRange(max = 2_000_000_000) int length) {
    assertThat((long) CompressionCodec.ZSTD.bound(length)).isEqualTo(Zstd.compressBound(length));
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

  @Provide
  Arbitrary<Content> contents() {
    return Content.any();
  }

  @Provide
  Arbitrary<Content> small() {
    return Content.upTo(1500);
  }

  @Provide
  Arbitrary<BufferShape> writable() {
    return Arbitraries.of(BufferShape.class).filter(BufferShape::writable);
  }
}
