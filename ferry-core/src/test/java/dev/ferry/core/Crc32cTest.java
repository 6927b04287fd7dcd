package dev.ferry.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.internal.PartialCrc32c;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Crc32cTest {
  @ParameterizedTest
  @CsvSource({
    "'', 00000000",
    "123456789, e3069283",
    "The quick brown fox jumps over the lazy dog, 22620404"
  })
  void ofFile_knownTexts_haveTheirDigest(String text, String hex, @TempDir Path directory)
      throws Exception {
    Path file = Files.write(directory.resolve("file"), text.getBytes(US_ASCII));
    Digest digest = Digest.Algorithm.CRC32C.ofFile(file);
    assertThat(digest.toHex()).isEqualTo(hex);
    assertThat(digest).hasToString(hex);
    assertThat(digest.toBytes()).isEqualTo(HexFormat.of().parseHex(hex));
    assertThat(Crc32c.of(digest.toBytes())).isEqualTo(digest);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5})
  void of_anotherLength_isRefused(int length) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> Crc32c.of(new byte[length]))
        .matches(e -> e.kind() == ErrorKind.INVALID_REQUEST);
  }

  @Test
  void partsOfAFile_inAnyOrder_giveTheDigestOfTheFile() {
    Generated.check(
        500,
        input -> {
          int size = input.size(200_000);
          List<Integer> cuts = input.list(0, 20, () -> input.between(0, size));
          assertPartsGiveTheDigest(size, cuts, new Random(input.anyLong()));
        });
  }

  private static void assertPartsGiveTheDigest(int size, List<Integer> cuts, Random random) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    TreeSet<Integer> ends =
        new TreeSet<>(cuts.stream().filter(cut -> cut > 0 && cut < size).toList());
    ends.add(size);
    List<int[]> parts = new ArrayList<>();
    int start = 0;
    for (int end : ends) {
      parts.add(new int[] {start, end});
      start = end;
    }
    Collections.shuffle(parts, random);

    PartialCrc32c crc = new PartialCrc32c();
    for (int[] part : parts) {
      assertThat(size == 0 ? null : crc.of(size)).isNull();
      add(crc, bytes, part[0], part[1], random.nextBoolean());
    }
    add(crc, bytes, 0, size / 2, false);

    CRC32C whole = new CRC32C();
    whole.update(bytes);
    assertThat(crc.of(size)).isEqualTo(Crc32c.of(whole));
  }

  private static void add(PartialCrc32c crc, byte[] bytes, int start, int end, boolean scattered) {
    if (scattered) {
      int middle = (start + end) / 2;
      ByteBuffer first = ByteBuffer.allocate(middle - start).put(bytes, start, middle - start);
      ByteBuffer second = ByteBuffer.allocateDirect(end - middle).put(bytes, middle, end - middle);
      crc.add(start, new ByteBuffer[] {first, second});
    } else {
      crc.add(start, ByteBuffer.wrap(bytes, start, end - start));
    }
  }

  @Test
  void equals_otherAlgorithm_differs() throws Exception {
    assertThat((Digest) new Crc32c(0)).isNotEqualTo(Sha256.of(new byte[Sha256.LENGTH]));
  }
}
