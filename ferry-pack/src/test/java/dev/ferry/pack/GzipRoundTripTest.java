package dev.ferry.pack;

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
  void pack_anyBytesAndBuffers_jdkReadsThem(
      @ForAll("codecs") PackCodec codec,
      @ForAll @IntRange(max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to)
      throws IOException {
    byte[] bytes = content.bytes();
    ByteBuffer input = from.of(bytes);
    try (Packer packer = codec.newPacker(level)) {
      int room = packer.bound(bytes.length);
      ByteBuffer target = to.room(room);

      int packed = packer.pack(input, target);

      byte[] written = BufferShape.written(target);
      assertThat(packed).isEqualTo(written.length).isLessThanOrEqualTo(room);
      assertThat(BufferShape.marginsAreWhole(target, room)).isTrue();
      assertThat(input.hasRemaining()).isFalse();
      assertThat(BufferShape.written(input)).isEqualTo(bytes);
      assertThat(Packs.gunzip(written)).isEqualTo(bytes);
      assertThat(codec.unpackedSize(ByteBuffer.wrap(written))).hasValue(bytes.length);
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void unpack_whatTheJdkPacked_sameBytes(
      @ForAll("codecs") PackCodec codec,
      @ForAll @IntRange(max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll @IntRange(max = 31) int flags,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to,
      @ForAll @IntRange(max = 3) int spare)
      throws IOException {
    byte[] bytes = content.bytes();
    ByteBuffer input = from.of(Packs.withHeader(Packs.gzip(bytes, level), flags));
    ByteBuffer target = to.room(bytes.length + spare);
    try (Unpacker unpacker = codec.newUnpacker()) {
      assertThat(unpacker.unpack(input, target)).isEqualTo(bytes.length);
    }
    assertThat(BufferShape.written(target)).isEqualTo(bytes);
    assertThat(BufferShape.marginsAreWhole(target, bytes.length + spare)).isTrue();
    assertThat(input.hasRemaining()).isFalse();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void unpack_whatAnyCodecPackedOneAfterTheOther_sameBytes(
      @ForAll("codecs") PackCodec packing,
      @ForAll("codecs") PackCodec unpacking,
      @ForAll @IntRange(max = 9) int level,
      @ForAll @Size(min = 1, max = 6) List<@From("contents") Content> contents)
      throws IOException {
    try (Packer packer = packing.newPacker(level);
        Unpacker unpacker = unpacking.newUnpacker()) {
      for (Content content : contents) {
        byte[] bytes = content.bytes();
        assertThat(Packs.unpack(unpacker, Packs.pack(packer, bytes), bytes.length))
            .isEqualTo(bytes);
      }
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void unpack_membersOnEnd_allTheirBytes(
      @ForAll("codecs") PackCodec codec,
      @ForAll @Size(min = 2, max = 4) List<@From("small") Content> contents,
      @ForAll boolean same,
      @ForAll BufferShape from)
      throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (Content content : contents) {
      // Members that are the same have the same trailer, which must not deceive.
      byte[] bytes = (same ? contents.get(0) : content).bytes();
      members.writeBytes(Packs.gzip(bytes));
      expected.writeBytes(bytes);
    }
    ByteBuffer target = ByteBuffer.allocate(expected.size());
    try (Unpacker unpacker = codec.newUnpacker()) {
      unpacker.unpack(from.of(members.toByteArray()), target);
    }
    assertThat(target.array()).isEqualTo(expected.toByteArray());
    assertThat(target.hasRemaining()).isFalse();
  }

  @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
  void pack_targetOneByteShort_saysSoAndMovesNothing(
      @ForAll("codecs") PackCodec codec, @ForAll @IntRange(max = 200_000) int length) {
    ByteBuffer input = ByteBuffer.allocate(length);
    try (Packer packer = codec.newPacker(1)) {
      ByteBuffer target = ByteBuffer.allocate(packer.bound(length) - 1);

      assertThatThrownBy(() -> packer.pack(input, target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has room for " + target.remaining());
      assertThat(target.position()).isZero();
      assertThat(input.position()).isZero();
    }
  }

  @Provide
  Arbitrary<PackCodec> codecs() {
    return Arbitraries.of(Packs.availableGzip());
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
