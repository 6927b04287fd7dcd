package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "65536 | 65536",
        "65536 B | 65536",
        "1 byte | 1",
        "25,060,966 bytes | 25060966",
        "64K | 65536",
        "64k | 65536",
        "64KiB | 65536",
        "64 kib | 65536",
        "64kB | 64000",
        "64KB | 64000",
        "64kb | 64000",
        "1.5M | 1572864",
        "200.0 MB | 200000000",
        "2G | 2147483648",
        "2GiB | 2147483648",
        "2GB | 2000000000",
        "1.3G | 1395864371",
        "8T | 8796093022208",
        "9223372036854775807 | 9223372036854775807"
      })
  void parse_everyForm_isRead(String text, long bytes) {
    assertThat(ByteSize.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "K", "-1", "+1", "1e3", "0x10", "64KK", "64iB", "64 X", "1,5M", "1.M", " 1"})
  void parse_anythingElse_isRefusedWithTheFormsAllowed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ByteSize.parse(text))
        .withMessage(
            "'%s' is not a size; give bytes, or with K, M, G, T (times 1,024, as KiB) or kB, MB,"
                + " GB, TB (times 1,000)",
            text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "8388608T", "9999999999999999999T"})
  void parse_moreThanALong_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ByteSize.parse(text))
        .withMessage("'%s' is more bytes than can be counted", text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1023, 1023",
    "1024, 1K",
    "1536, 1536",
    "52428800, 50M",
    "1610612736, 1536M",
    "1099511627776, 1T",
    "9223372036854775807, 9223372036854775807"
  })
  void shortest_ofAnySize_isReadBack(long bytes, String text) {
    assertThat(ByteSize.shortest(bytes)).isEqualTo(text);
    assertThat(ByteSize.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "999.6, 1.0 kB", "99999, 100.0 kB", "100000, 0.1 MB", "25060966, 25.1 MB"})
  void amount_lessThanATenthOfAMegabyte_isInASmallerUnit(double bytes, String text) {
    assertThat(ByteSize.amount(bytes)).isEqualTo(text);
  }

  @Test
  void megabytes_anySize_isReadBackToTheDigitsShown() {
    assertThat(ByteSize.megabytes(25_060_966)).isEqualTo("25.1 MB");
    assertThat(ByteSize.parse(ByteSize.megabytes(25_060_966))).isEqualTo(25_100_000);
  }
}
