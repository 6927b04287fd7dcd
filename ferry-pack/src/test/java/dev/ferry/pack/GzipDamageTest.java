package dev.ferry.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is damaged never yields wrong bytes, never more than there is room for, and harms nobody.
 */
class GzipDamageTest {
  private enum Damage {
    FLIP,
    DELETE,
    INSERT,
    ROTATE;

    byte[] apply(byte[] packed, int at, byte value) {
      byte[] before = Arrays.copyOf(packed, at);
      byte[] behind = Arrays.copyOfRange(packed, at + 1, packed.length);
      byte[] here = {packed[at]};
      byte[] other = {value};
      return switch (this) {
        case FLIP -> Packs.concat(before, new byte[] {(byte) (packed[at] ^ value)}, behind);
        case DELETE -> Packs.concat(before, behind);
        case INSERT -> Packs.concat(before, other, here, behind);
        case ROTATE -> Packs.concat(behind, here, before);
      };
    }
  }

  @Property(tries = 8000, edgeCases = EdgeCasesMode.NONE)
  void unpack_damagedAnywhere_rightBytesOrAnError(
      @ForAll("codecs") PackCodec codec,
      @ForAll("small") Content content,
      @ForAll @IntRange(max = 9) int level,
      @ForAll @IntRange(max = 31) int flags,
      @ForAll Damage damage,
      @ForAll("places") double place,
      @ForAll byte value)
      throws IOException {
    byte[] bytes = content.bytes();
    byte[] packed = Packs.withHeader(Packs.gzip(bytes, level), flags);
    byte[] damaged = damage.apply(packed, (int) (place * (packed.length - 1)), value);
    try (Unpacker unpacker = codec.newUnpacker()) {
      byte[] unpacked;
      try {
        unpacked = Packs.unpack(unpacker, damaged, bytes.length + 100);
      } catch (CorruptPackException | UnpackedTooLargeException e) {
        assertThat(e).message().doesNotContain("\n");
        assertStillWorks(unpacker);
        return;
      }
      assertThat(unpacked).isEqualTo(bytes);
      if (codec == PackCodec.GZIP_JDK) {
        // Whatever the JDK's stream refuses is refused here; it lets pass some more.
        assertThat(Packs.gunzip(damaged)).isEqualTo(bytes);
      }
    }
  }

  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  void unpack_cutAnywhere_saysSo(
      @ForAll("codecs") PackCodec codec,
      @ForAll("tiny") Content content,
      @ForAll @IntRange(max = 9) int level,
      @ForAll @IntRange(max = 31) int flags)
      throws IOException {
    byte[] bytes = content.bytes();
    byte[] packed = Packs.withHeader(Packs.gzip(bytes, level), flags);
    try (Unpacker unpacker = codec.newUnpacker()) {
      for (int length = 0; length < packed.length; length++) {
        byte[] cut = Arrays.copyOf(packed, length);
        ByteBuffer input = ByteBuffer.wrap(cut);
        ByteBuffer target = ByteBuffer.allocate(bytes.length);

        assertThatThrownBy(() -> unpacker.unpack(input, target))
            .as("first %d of %d bytes", length, packed.length)
            .isInstanceOf(CorruptPackException.class)
            .hasMessageStartingWith("corrupt gzip: ");
        assertThat(input.position()).isZero();
        assertThat(target.position()).isZero();
      }
      assertThat(Packs.unpack(unpacker, packed, bytes.length)).isEqualTo(bytes);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void unpack_rubbishBehind_saysSo(
      @ForAll("codecs") PackCodec codec,
      @ForAll("small") Content content,
      @ForAll @Size(min = 1, max = 40) byte[] rubbish) {
    byte[] packed = Packs.concat(Packs.gzip(content.bytes()), rubbish);
    try (Unpacker unpacker = codec.newUnpacker()) {
      assertThatThrownBy(() -> Packs.unpack(unpacker, packed, content.size() + 10))
          .isInstanceOf(CorruptPackException.class);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void unpack_lyingTrailer_saysSo(
      @ForAll("codecs") PackCodec codec,
      @ForAll("small") Content content,
      @ForAll @IntRange(min = 1, max = 8) int fromEnd,
      @ForAll @IntRange(min = 1, max = 255) int flip) {
    byte[] packed = Packs.gzip(content.bytes());
    packed[packed.length - fromEnd] ^= (byte) flip;
    try (Unpacker unpacker = codec.newUnpacker()) {
      assertThatThrownBy(() -> Packs.unpack(unpacker, packed, content.size() + 10))
          .isInstanceOf(CorruptPackException.class)
          .hasMessageContaining(fromEnd > 4 ? "CRC-32 does not match" : "length does not match");
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void unpack_moreThanThereIsRoomFor_saysSo(
      @ForAll("codecs") PackCodec codec,
      @ForAll("contents") Content content,
      @ForAll("places") double place,
      @ForAll boolean direct)
      throws IOException {
    byte[] bytes = Packs.concat(content.bytes(), new byte[1]);
    int room = (int) (place * (bytes.length - 1));
    ByteBuffer target = direct ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
    try (Unpacker unpacker = codec.newUnpacker()) {
      assertThatThrownBy(() -> unpacker.unpack(ByteBuffer.wrap(Packs.gzip(bytes)), target))
          .isInstanceOf(UnpackedTooLargeException.class)
          .hasMessageContaining("the " + room + " bytes");
      assertThat(target.position()).isZero();
      assertStillWorks(unpacker);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.pack.Packs#availableGzip")
  void unpack_bombWithLyingLength_stopsAtItsRoom(PackCodec codec) {
    byte[] bomb = Packs.gzip(new byte[64 << 20]);
    Arrays.fill(bomb, bomb.length - 4, bomb.length, (byte) 0);
    bomb[bomb.length - 4] = 100;
    try (Unpacker unpacker = codec.newUnpacker()) {
      for (int room : new int[] {0, 1, 99, 100, 101, 4096}) {
        assertThatThrownBy(() -> Packs.unpack(unpacker, bomb, room))
            .isInstanceOf(UnpackedTooLargeException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.pack.Packs#availableGzip")
  void unpack_badHeader_namesWhatIsWrong(PackCodec codec) {
    byte[] member = Packs.gzip(new byte[500]);
    try (Unpacker unpacker = codec.newUnpacker()) {
      assertRefused(unpacker, new byte[0], "ends in the middle");
      assertRefused(unpacker, new byte[30], "no header begins at byte 0");
      assertRefused(unpacker, with(member, 2, 7), "unknown method 7");
      assertRefused(unpacker, with(member, 3, 0x20), "reserved flags");
      byte[] checked = Packs.withHeader(member, 2);
      assertRefused(unpacker, with(checked, 10, checked[10] ^ 1), "header's checksum");
      byte[] extra = Packs.withHeader(member, 4);
      assertRefused(unpacker, with(extra, 11, 0xff), "ends in the middle");
      byte[] two = Packs.concat(member, new byte[30]);
      assertRefused(unpacker, two, "no header begins at byte " + member.length);
    }
  }

  private static void assertRefused(Unpacker unpacker, byte[] packed, String why) {
    assertThatThrownBy(() -> Packs.unpack(unpacker, packed, 1000))
        .isInstanceOf(CorruptPackException.class)
        .hasMessageContaining(why);
  }

  private static byte[] with(byte[] bytes, int index, int value) {
    byte[] changed = bytes.clone();
    changed[index] = (byte) value;
    return changed;
  }

  private static void assertStillWorks(Unpacker unpacker) throws IOException {
    byte[] bytes = {1, 2, 3};
    assertThat(Packs.unpack(unpacker, Packs.gzip(bytes), 3)).isEqualTo(bytes);
  }

  @Provide
  Arbitrary<PackCodec> codecs() {
    return Arbitraries.of(Packs.availableGzip());
  }

  @Provide
  Arbitrary<Content> contents() {
    return Content.upTo(200_000);
  }

  @Provide
  Arbitrary<Content> small() {
    return Content.upTo(1500);
  }

  @Provide
  Arbitrary<Content> tiny() {
    return Arbitraries.integers()
        .between(0, 300)
        .flatMap(n -> Arbitraries.of(Content.Kind.values()).map(k -> new Content(k, n, n)));
  }

  /** A part of the way, often at the ends, where the header and the trailer are. */
  @Provide
  Arbitrary<Double> places() {
    return Arbitraries.oneOf(uniform(0, 1), uniform(0, 0.1), uniform(0.9, 1));
  }

  private static Arbitrary<Double> uniform(double from, double to) {
    return Arbitraries.doubles().between(from, to).withDistribution(RandomDistribution.uniform());
  }
}
