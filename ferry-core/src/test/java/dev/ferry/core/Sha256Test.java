package dev.ferry.core;

import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Sha256Test {
  @TempDir private Path directory;

  /** The examples of FIPS 180-4. */
  @ParameterizedTest
  @CsvSource({
    "'',e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc,ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  })
  void ofFile_ofTheStandardsExamples_isTheirs(String text, String hex) throws Exception {
    Path file = Files.write(directory.resolve("f"), text.getBytes(StandardCharsets.US_ASCII));
    assertThat(Sha256.ofFile(file).toHex()).isEqualTo(hex);
    assertThat(Sha256.ofFile(file)).hasToString(hex);
  }

  @ParameterizedTest
  @ValueSource(ints = {262_143, 262_144, 262_145, 1_000_000})
  void ofChannel_ofSeveralReads_isThatOfTheWhole(int size) throws Exception {
    byte[] bytes = random(size, 1);
    Path file = Files.write(directory.resolve("f"), bytes);
    try (FileChannel channel = FileChannel.open(file)) {
      channel.position(7);
      assertThat(Sha256.ofChannel(channel).toBytes())
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
      assertThat(channel.position()).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 33})
  void of_anotherLength_isInvalidRequest(int length) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> Sha256.of(new byte[length]))
        .matches(e -> e.kind() == ErrorKind.INVALID_REQUEST);
  }

  @Test
  void bytes_changedOutside_doNotChangeIt() throws Exception {
    byte[] bytes = random(32, 1);
    Sha256 digest = Sha256.of(bytes);
    Sha256 same = Sha256.of(bytes);
    bytes[0]++;
    digest.toBytes()[1]++;
    assertThat(digest).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(digest).isNotEqualTo(Sha256.of(bytes)).isNotEqualTo(digest.toHex());
  }
}
