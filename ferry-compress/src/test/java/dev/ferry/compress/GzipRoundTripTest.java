package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Every codec and the JDK's gzip streams understand each other, from and to any buffer. */
class GzipRoundTripTest {
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void compress_anyBytesAndBuffers_jdkReadsThem(
      @ForAll("codecs") CompressionCodec codec,
      @ForAll @IntRange(max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to)
      throws IOException {
    byte[] bytes = content.bytes();
    ByteBuffer input = from.of(bytes);
    try (Compressor compressor = codec.newCompressor(level)) {
      int room = compressor.bound(bytes.length);
      ByteBuffer target = to.room(room);

      int compressed = compressor.compress(input, target);

      byte[] written = BufferShape.written(target);
      assertThat(compressed).isEqualTo(written.length).isLessThanOrEqualTo(room);
      assertThat(BufferShape.marginsAreWhole(target, room)).isTrue();
      assertThat(input.hasRemaining()).isFalse();
      assertThat(BufferShape.written(input)).isEqualTo(bytes);
      assertThat(AllCodecs.gunzip(written)).isEqualTo(bytes);
      assertThat(codec.decompressedSize(ByteBuffer.wrap(written))).hasValue(bytes.length);
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void decompress_whatTheJdkCompressed_sameBytes(
      @ForAll("codecs") CompressionCodec codec,
      @ForAll @IntRange(max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll @IntRange(max = 31) int flags,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to,
      @ForAll @IntRange(max = 3) int spare)
      throws IOException {
    byte[] bytes = content.bytes();
    ByteBuffer input = from.of(AllCodecs.withHeader(AllCodecs.gzip(bytes, level), flags));
    ByteBuffer target = to.room(bytes.length + spare);
    try (Decompressor decompressor = codec.newDecompressor()) {
      assertThat(decompressor.decompress(input, target)).isEqualTo(bytes.length);
    }
    assertThat(BufferShape.written(target)).isEqualTo(bytes);
    assertThat(BufferShape.marginsAreWhole(target, bytes.length + spare)).isTrue();
    assertThat(input.hasRemaining()).isFalse();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void decompress_whatAnyCodecCompressedOneAfterTheOther_sameBytes(
      @ForAll("codecs") CompressionCodec compressing,
      @ForAll("codecs") CompressionCodec decompressing,
      @ForAll @IntRange(max = 9) int level,
      @ForAll @Size(min = 1, max = 6) List<@From("contents") Content> contents)
      throws IOException {
    try (Compressor compressor = compressing.newCompressor(level);
        Decompressor decompressor = decompressing.newDecompressor()) {
      for (Content content : contents) {
        byte[] bytes = content.bytes();
        assertThat(
                AllCodecs.decompress(
                    decompressor, AllCodecs.compress(compressor, bytes), bytes.length))
            .isEqualTo(bytes);
      }
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void decompress_membersOnEnd_allTheirBytes(
      @ForAll("codecs") CompressionCodec codec,
      @ForAll @Size(min = 2, max = 4) List<@From("small") Content> contents,
      @ForAll boolean same,
      @ForAll BufferShape from)
      throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (Content content : contents) {
      // Members that are the same have the same trailer, which must not deceive.
      byte[] bytes = (same ? contents.get(0) : content).bytes();
      members.writeBytes(AllCodecs.gzip(bytes));
      expected.writeBytes(bytes);
    }
    ByteBuffer target = ByteBuffer.allocate(expected.size());
    try (Decompressor decompressor = codec.newDecompressor()) {
      decompressor.decompress(from.of(members.toByteArray()), target);
    }
    assertThat(target.array()).isEqualTo(expected.toByteArray());
    assertThat(target.hasRemaining()).isFalse();
  }

  @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
  void compress_targetOneByteShort_saysSoAndMovesNothing(
      @ForAll("codecs") CompressionCodec codec, @ForAll @IntRange(max = 200_000) int length) {
    ByteBuffer input = ByteBuffer.allocate(length);
    try (Compressor compressor = codec.newCompressor(1)) {
      ByteBuffer target = ByteBuffer.allocate(compressor.bound(length) - 1);

      assertThatThrownBy(() -> compressor.compress(input, target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has room for " + target.remaining());
      assertThat(target.position()).isZero();
      assertThat(input.position()).isZero();
    }
  }

  @Provide
  Arbitrary<CompressionCodec> codecs() {
    return Arbitraries.of(AllCodecs.availableGzip());
  }

  @Provide
  Arbitrary<Content> contents() {
    return Content.any();
  }

  @Provide
  Arbitrary<Content> small() {
    return Content.upTo(3000);
  }

  @Provide
  Arbitrary<BufferShape> writable() {
    return Arbitraries.of(BufferShape.class).filter(BufferShape::writable);
  }
}
