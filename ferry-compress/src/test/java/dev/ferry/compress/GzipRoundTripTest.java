package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Generated;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every codec and the JDK's gzip streams understand each other, from and to any buffer. */
class GzipRoundTripTest {
  @Test
  void compress_anyBytesAndBuffers_jdkReadsThem() {
    Generated.check(400, GzipRoundTripTest::assertTheJdkReadsIt);
  }

  private static void assertTheJdkReadsIt(Generated generated) throws IOException {
    CompressionCodec codec = generated.of(AllCodecs.availableGzip());
    byte[] bytes = Content.any(generated).bytes();
    ByteBuffer input = generated.of(BufferShape.class).of(bytes);
    try (Compressor compressor = codec.newCompressor(generated.between(0, 9))) {
      int room = compressor.bound(bytes.length);
      ByteBuffer target = generated.of(BufferShape.writable()).room(room);

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

  @Test
  void decompress_whatTheJdkCompressed_sameBytes() {
    Generated.check(400, GzipRoundTripTest::assertReadsWhatTheJdkCompressed);
  }

  private static void assertReadsWhatTheJdkCompressed(Generated generated) throws IOException {
    CompressionCodec codec = generated.of(AllCodecs.availableGzip());
    byte[] bytes = Content.any(generated).bytes();
    byte[] compressed =
        AllCodecs.withHeader(
            AllCodecs.gzip(bytes, generated.between(0, 9)), generated.between(0, 31));
    int spare = generated.between(0, 3);
    ByteBuffer input = generated.of(BufferShape.class).of(compressed);
    ByteBuffer target = generated.of(BufferShape.writable()).room(bytes.length + spare);
    try (Decompressor decompressor = codec.newDecompressor()) {
      assertThat(decompressor.decompress(input, target)).isEqualTo(bytes.length);
    }
    assertThat(BufferShape.written(target)).isEqualTo(bytes);
    assertThat(BufferShape.marginsAreWhole(target, bytes.length + spare)).isTrue();
    assertThat(input.hasRemaining()).isFalse();
  }

  @Test
  void decompress_whatAnyCodecCompressedOneAfterTheOther_sameBytes() {
    Generated.check(
        200,
        input ->
            assertUnderstands(
                input.of(AllCodecs.availableGzip()),
                input.of(AllCodecs.availableGzip()),
                input.between(0, 9),
                input.list(1, 6, () -> Content.any(input))));
  }

  private static void assertUnderstands(
      CompressionCodec compressing,
      CompressionCodec decompressing,
      int level,
      List<Content> contents)
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

  @Test
  void decompress_membersOnEnd_allTheirBytes() {
    Generated.check(
        200,
        input ->
            assertAllTheirBytes(
                input.of(AllCodecs.availableGzip()),
                input.list(2, 4, () -> Content.upTo(input, 3000)),
                input.flag(),
                input.of(BufferShape.class)));
  }

  private static void assertAllTheirBytes(
      CompressionCodec codec, List<Content> contents, boolean same, BufferShape from)
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

  @Test
  void compress_targetOneByteShort_saysSoAndMovesNothing() {
    Generated.check(
        50,
        input -> assertSaysThatItIsShort(input.of(AllCodecs.availableGzip()), input.size(200_000)));
  }

  private static void assertSaysThatItIsShort(CompressionCodec codec, int length) {
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
}
