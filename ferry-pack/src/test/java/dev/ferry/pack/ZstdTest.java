package dev.ferry.pack;

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
    assumeTrue(PackCodec.ZSTD.available(), () -> PackCodec.ZSTD.obstacle().orElseThrow());
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void pack_anyBytesAndBuffers_theLibrarysStreamReadsThem(
      @ForAll @IntRange(min = 1, max = 9) int level,
      @ForAll("contents") Content content,
      @ForAll BufferShape from,
      @ForAll("writable") BufferShape to)
      throws IOException {
    byte[] bytes = content.bytes();
    ByteBuffer input = from.of(bytes);
    try (Packer packer = PackCodec.ZSTD.newPacker(level)) {
      int room = packer.bound(bytes.length);
      ByteBuffer target = to.room(room);

      int packed = packer.pack(input, target);

      byte[] written = BufferShape.written(target);
      assertThat(packed).isEqualTo(written.length).isLessThanOrEqualTo(room);
      assertThat(BufferShape.marginsAreWhole(target, room)).isTrue();
      assertThat(input.hasRemaining()).isFalse();
      assertThat(BufferShape.written(input)).isEqualTo(bytes);
      assertThat(decode(written)).isEqualTo(bytes);
      assertThat(PackCodec.ZSTD.unpackedSize(ByteBuffer.wrap(written))).hasValue(bytes.length);
      assertThat(written[4] & 4).as("checksum flag").isEqualTo(4);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void unpack_framesOfAnyKindOnEnd_sameBytes(
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
    try (Unpacker unpacker = PackCodec.ZSTD.newUnpacker()) {
      assertThat(unpacker.unpack(input, target)).isEqualTo(expected.size());
    }
    assertThat(BufferShape.written(target)).isEqualTo(expected.toByteArray());
    assertThat(BufferShape.marginsAreWhole(target, expected.size() + spare)).isTrue();
    assertThat(input.hasRemaining()).isFalse();
  }

  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void unpack_damagedAnywhere_rightBytesOrAnError(
      @ForAll("small") Content content,
      @ForAll @IntRange(min = 1, max = 9) int level,
      @ForAll @IntRange(max = 99) int place,
      @ForAll boolean shift,
      @ForAll @IntRange(min = 1, max = 255) int flip)
      throws IOException {
    byte[] bytes = content.bytes();
    byte[] damaged = packed(bytes, level);
    int at = place < 20 ? Math.min(place, damaged.length - 1) : place * damaged.length / 100;
    damaged[at] ^= (byte) flip;
    if (shift) {
      damaged =
          Packs.concat(
              Arrays.copyOf(damaged, at), Arrays.copyOfRange(damaged, at + 1, damaged.length));
    }
    try (Unpacker unpacker = PackCodec.ZSTD.newUnpacker()) {
      try {
        assertThat(Packs.unpack(unpacker, damaged, bytes.length + 100)).isEqualTo(bytes);
      } catch (CorruptPackException | UnpackedTooLargeException e) {
        assertThat(e).message().doesNotContain("\n");
        assertThat(Packs.unpack(unpacker, packed(bytes, level), bytes.length)).isEqualTo(bytes);
      }
    }
  }

  @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
  void unpack_cutAnywhere_saysSo(
      @ForAll Content.Kind kind, @ForAll @IntRange(max = 300) int size, @ForAll boolean direct)
      throws IOException {
    byte[] bytes = new Content(kind, size, size).bytes();
    byte[] packed = packed(bytes, 1);
    BufferShape shape = direct ? BufferShape.DIRECT : BufferShape.HEAP;
    try (Unpacker unpacker = PackCodec.ZSTD.newUnpacker()) {
      for (int length = 0; length < packed.length; length++) {
        ByteBuffer input = shape.of(Arrays.copyOf(packed, length));
        ByteBuffer target = shape.room(bytes.length);
        int before = target.position();

        assertThatThrownBy(() -> unpacker.unpack(input, target))
            .as("first %d of %d bytes", length, packed.length)
            .isInstanceOf(CorruptPackException.class)
            .hasMessageStartingWith("corrupt zstd: ");
        assertThat(target.position()).isEqualTo(before);
        assertThat(input.remaining()).isEqualTo(length);
      }
      assertThat(Packs.unpack(unpacker, packed, bytes.length)).isEqualTo(bytes);
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void unpack_rubbishBehind_saysSo(
      @ForAll("small") Content content, @ForAll @Size(min = 1, max = 40) byte[] rubbish) {
    byte[] packed = Packs.concat(packed(content.bytes(), 1), rubbish);
    try (Unpacker unpacker = PackCodec.ZSTD.newUnpacker()) {
      assertThatThrownBy(() -> Packs.unpack(unpacker, packed, content.size() + 10))
          .isInstanceOf(CorruptPackException.class);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void unpack_moreThanThereIsRoomFor_saysSo(
      @ForAll("contents") Content content,
      @ForAll @IntRange(max = 99) int percent,
      @ForAll boolean streamed,
      @ForAll("writable") BufferShape to)
      throws IOException {
    byte[] bytes = Packs.concat(content.bytes(), new byte[1]);
    // A stream does not state its length, so that the library has to notice.
    byte[] packed = streamed ? encode(bytes, 1) : packed(bytes, 1);
    int room = (int) (percent * (bytes.length - 1L) / 100);
    ByteBuffer target = to.room(room);
    int before = target.position();
    try (Unpacker unpacker = PackCodec.ZSTD.newUnpacker()) {
      assertThatThrownBy(() -> unpacker.unpack(ByteBuffer.wrap(packed), target))
          .isInstanceOf(UnpackedTooLargeException.class)
          .hasMessageContaining("the " + room + " bytes");
      assertThat(target.position()).isEqualTo(before);
      assertThat(BufferShape.marginsAreWhole(target, room)).isTrue();
    }
  }

  @Test
  void unpack_oldOrForeignFormat_saysWhereNoFrameBegins() {
    byte[] packed = packed(new byte[100], 1);
    byte[] old = packed.clone();
    old[0] = 0x27; // zstd 0.7
    try (Unpacker unpacker = PackCodec.ZSTD.newUnpacker()) {
      assertThatThrownBy(() -> Packs.unpack(unpacker, old, 100))
          .hasMessage("corrupt zstd: no frame begins at byte 0");
      assertThatThrownBy(() -> Packs.unpack(unpacker, Packs.concat(packed, old), 100))
          .hasMessage("corrupt zstd: no frame begins at byte " + packed.length);
      assertThatThrownBy(() -> Packs.unpack(unpacker, Packs.gzip(new byte[100]), 100))
          .hasMessage("corrupt zstd: no frame begins at byte 0");
    }
    assertThatThrownBy(() -> PackCodec.ZSTD.unpackedSize(ByteBuffer.wrap(old)))
        .isInstanceOf(CorruptPackException.class);
  }

  @Test
  void label_ofTheCodec_hasTheVersionOfTheRootPom() {
    assertThat(PackCodec.ZSTD.label())
        .isEqualTo("zstd-jni " + Zstd.class.getPackage().getImplementationVersion());
  }

  @Test
  void unpackedSize_streamed_isOpen() throws IOException {
    assertThat(PackCodec.ZSTD.unpackedSize(ByteBuffer.wrap(encode(new byte[100], 1)))).isEmpty();
  }

  @Property(tries = 500)
  void bound_anyLength_isTheLibrarys(@ForAll @IntRange(max = 2_000_000_000) int length) {
    assertThat((long) PackCodec.ZSTD.bound(length)).isEqualTo(Zstd.compressBound(length));
  }

  private static byte[] packed(byte[] bytes, int level) {
    try (Packer packer = PackCodec.ZSTD.newPacker(level)) {
      return Packs.pack(packer, bytes);
    }
  }

  private static byte[] encode(byte[] bytes, int level) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStream zstd = new ZstdOutputStream(out, level)) {
      zstd.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] decode(byte[] packed) throws IOException {
    try (ZstdInputStream zstd = new ZstdInputStream(new ByteArrayInputStream(packed))) {
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
