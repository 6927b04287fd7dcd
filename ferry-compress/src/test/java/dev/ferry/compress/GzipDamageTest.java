package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Generated;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
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

    byte[] apply(byte[] compressed, int at, byte value) {
      byte[] before = Arrays.copyOf(compressed, at);
      byte[] behind = Arrays.copyOfRange(compressed, at + 1, compressed.length);
      byte[] here = {compressed[at]};
      byte[] other = {value};
      return switch (this) {
        case FLIP -> AllCodecs.concat(before, new byte[] {(byte) (compressed[at] ^ value)}, behind);
        case DELETE -> AllCodecs.concat(before, behind);
        case INSERT -> AllCodecs.concat(before, other, here, behind);
        case ROTATE -> AllCodecs.concat(behind, here, before);
      };
    }
  }

  @Test
  void decompress_damagedAnywhere_rightBytesOrAnError() {
    Generated.check(3000, GzipDamageTest::assertRightBytesOrAnError);
  }

  private static void assertRightBytesOrAnError(Generated input) throws IOException {
    CompressionCodec codec = input.of(AllCodecs.availableGzip());
    byte[] bytes = Content.upTo(input, 1500).bytes();
    int level = input.between(0, 9);
    int flags = input.between(0, 31);
    Damage damage = input.of(Damage.class);
    double place = place(input);
    byte value = input.anyByte();
    byte[] compressed = AllCodecs.withHeader(AllCodecs.gzip(bytes, level), flags);
    byte[] damaged = damage.apply(compressed, (int) (place * (compressed.length - 1)), value);
    try (Decompressor decompressor = codec.newDecompressor()) {
      byte[] decompressed;
      try {
        decompressed = AllCodecs.decompress(decompressor, damaged, bytes.length + 100);
      } catch (CorruptDataException | DecompressedTooLargeException e) {
        assertThat(e).message().doesNotContain("\n");
        assertStillWorks(decompressor);
        return;
      }
      assertThat(decompressed).isEqualTo(bytes);
      if (codec == CompressionCodec.GZIP_JDK) {
        // Whatever the JDK's stream refuses is refused here; it lets pass some more.
        assertThat(AllCodecs.gunzip(damaged)).isEqualTo(bytes);
      }
    }
  }

  @Test
  void decompress_cutAnywhere_saysSo() {
    Generated.check(60, GzipDamageTest::assertSaysThatItIsCut);
  }

  private static void assertSaysThatItIsCut(Generated generated) throws IOException {
    CompressionCodec codec = generated.of(AllCodecs.availableGzip());
    byte[] bytes = Content.tiny(generated).bytes();
    byte[] compressed =
        AllCodecs.withHeader(
            AllCodecs.gzip(bytes, generated.between(0, 9)), generated.between(0, 31));
    try (Decompressor decompressor = codec.newDecompressor()) {
      for (int length = 0; length < compressed.length; length++) {
        byte[] cut = Arrays.copyOf(compressed, length);
        ByteBuffer input = ByteBuffer.wrap(cut);
        ByteBuffer target = ByteBuffer.allocate(bytes.length);

        assertThatThrownBy(() -> decompressor.decompress(input, target))
            .as("first %d of %d bytes", length, compressed.length)
            .isInstanceOf(CorruptDataException.class)
            .hasMessageStartingWith("corrupt gzip: ");
        assertThat(input.position()).isZero();
        assertThat(target.position()).isZero();
      }
      assertThat(AllCodecs.decompress(decompressor, compressed, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void decompress_rubbishBehind_saysSo() {
    Generated.check(
        300,
        input -> {
          CompressionCodec codec = input.of(AllCodecs.availableGzip());
          Content content = Content.upTo(input, 1500);
          byte[] rubbish = AllCodecs.concat(new byte[] {input.anyByte()}, input.bytes(39));
          byte[] compressed = AllCodecs.concat(AllCodecs.gzip(content.bytes()), rubbish);
          try (Decompressor decompressor = codec.newDecompressor()) {
            assertThatThrownBy(
                    () -> AllCodecs.decompress(decompressor, compressed, content.size() + 10))
                .isInstanceOf(CorruptDataException.class);
          }
        });
  }

  @Test
  void decompress_lyingTrailer_saysSo() {
    Generated.check(
        300,
        input -> {
          CompressionCodec codec = input.of(AllCodecs.availableGzip());
          Content content = Content.upTo(input, 1500);
          int fromEnd = input.between(1, 8);
          byte[] compressed = AllCodecs.gzip(content.bytes());
          compressed[compressed.length - fromEnd] ^= (byte) input.between(1, 255);
          try (Decompressor decompressor = codec.newDecompressor()) {
            assertThatThrownBy(
                    () -> AllCodecs.decompress(decompressor, compressed, content.size() + 10))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(
                    fromEnd > 4 ? "CRC-32 does not match" : "length does not match");
          }
        });
  }

  @Test
  void decompress_moreThanThereIsRoomFor_saysSo() {
    Generated.check(300, GzipDamageTest::assertSaysThatThereIsNoRoom);
  }

  private static void assertSaysThatThereIsNoRoom(Generated input) throws IOException {
    CompressionCodec codec = input.of(AllCodecs.availableGzip());
    byte[] bytes = AllCodecs.concat(Content.upTo(input, 200_000).bytes(), new byte[1]);
    int room = (int) (place(input) * (bytes.length - 1));
    ByteBuffer target = input.flag() ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
    try (Decompressor decompressor = codec.newDecompressor()) {
      assertThatThrownBy(
              () -> decompressor.decompress(ByteBuffer.wrap(AllCodecs.gzip(bytes)), target))
          .isInstanceOf(DecompressedTooLargeException.class)
          .hasMessageContaining("the " + room + " bytes");
      assertThat(target.position()).isZero();
      assertStillWorks(decompressor);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.compress.AllCodecs#availableGzip")
  void decompress_bombWithLyingLength_stopsAtItsRoom(CompressionCodec codec) {
    byte[] bomb = AllCodecs.gzip(new byte[64 << 20]);
    Arrays.fill(bomb, bomb.length - 4, bomb.length, (byte) 0);
    bomb[bomb.length - 4] = 100;
    try (Decompressor decompressor = codec.newDecompressor()) {
      for (int room : new int[] {0, 1, 99, 100, 101, 4096}) {
        assertThatThrownBy(() -> AllCodecs.decompress(decompressor, bomb, room))
            .isInstanceOf(DecompressedTooLargeException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.compress.AllCodecs#availableGzip")
  void decompress_badHeader_namesWhatIsWrong(CompressionCodec codec) {
    byte[] member = AllCodecs.gzip(new byte[500]);
    try (Decompressor decompressor = codec.newDecompressor()) {
      assertRefused(decompressor, new byte[0], "ends in the middle");
      assertRefused(decompressor, new byte[30], "no header begins at byte 0");
      assertRefused(decompressor, with(member, 2, 7), "unknown method 7");
      assertRefused(decompressor, with(member, 3, 0x20), "reserved flags");
      byte[] checked = AllCodecs.withHeader(member, 2);
      assertRefused(decompressor, with(checked, 10, checked[10] ^ 1), "header's checksum");
      byte[] extra = AllCodecs.withHeader(member, 4);
      assertRefused(decompressor, with(extra, 11, 0xff), "ends in the middle");
      byte[] two = AllCodecs.concat(member, new byte[30]);
      assertRefused(decompressor, two, "no header begins at byte " + member.length);
    }
  }

  private static void assertRefused(Decompressor decompressor, byte[] compressed, String why) {
    assertThatThrownBy(() -> AllCodecs.decompress(decompressor, compressed, 1000))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(why);
  }

  private static byte[] with(byte[] bytes, int index, int value) {
    byte[] changed = bytes.clone();
    changed[index] = (byte) value;
    return changed;
  }

  private static void assertStillWorks(Decompressor decompressor) throws IOException {
    byte[] bytes = {1, 2, 3};
    assertThat(AllCodecs.decompress(decompressor, AllCodecs.gzip(bytes), 3)).isEqualTo(bytes);
  }

  /** A part of the way, often at the ends, where the header and the trailer are. */
  private static double place(Generated input) {
    return switch (input.between(0, 2)) {
      case 0 -> input.between(0.0, 1.0);
      case 1 -> input.between(0.0, 0.1);
      default -> 1 - input.between(0.0, 0.1);
    };
  }
}
