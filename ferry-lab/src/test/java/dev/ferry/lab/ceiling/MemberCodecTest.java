package dev.ferry.lab.ceiling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class MemberCodecTest {
  @Property(tries = 200)
  void pack_anyPiece_isAMemberThatUnpacksToIt(
      @ForAll @IntRange(max = MemberCodec.PIECE_BYTES) int length,
      @ForAll @IntRange(min = 1, max = 256) int values,
      @ForAll long seed)
      throws IOException {
    byte[] piece = new byte[length];
    Random random = new Random(seed);
    for (int i = 0; i < length; i++) {
      piece[i] = (byte) random.nextInt(values);
    }
    try (MemberCodec codec = new MemberCodec()) {
      byte[] member = bytes(codec.pack(ByteBuffer.wrap(piece)));

      assertThat(new GZIPInputStream(new ByteArrayInputStream(member)).readAllBytes())
          .isEqualTo(piece);
      assertThat(bytes(codec.unpack(ByteBuffer.wrap(member)))).isEqualTo(piece);
    }
  }

  @Test
  void unpack_damaged_fails() throws IOException {
    try (MemberCodec codec = new MemberCodec()) {
      byte[] member = bytes(codec.pack(ByteBuffer.wrap("a piece of a file".getBytes(UTF_8))));
      for (int i = 10; i < member.length; i++) {
        byte[] damaged = member.clone();
        damaged[i] ^= 1;

        assertThatThrownBy(() -> codec.unpack(ByteBuffer.wrap(damaged)))
            .as("byte %d", i)
            .isInstanceOf(IOException.class);
      }
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
