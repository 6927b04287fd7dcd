package dev.ferry.wire.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, bytes 0-0/10",
    "bytes=0-9, bytes 0-9/10",
    "bytes=3-, bytes 3-9/10",
    "bytes=9-100, bytes 9-9/10",
    "bytes=-4, bytes 6-9/10",
    "bytes=-11, bytes 0-9/10",
    "BYTES=007-0008, bytes 7-8/10",
    "bytes=2-99999999999999999999999, bytes 2-9/10",
    "bytes=-99999999999999999999999, bytes 0-9/10",
    "bytes=10-, bytes */10",
    "bytes=10-20, bytes */10",
    "bytes=99999999999999999999999-, bytes */10",
    "bytes=-0, bytes */10"
  })
  void ofRequest_oneRange_isClippedToTheFile(String field, String contentRange) {
    ByteRange range = ByteRange.ofRequest(List.of(field), 10);
    assertThat(range).isNotNull().extracting(r -> r.contentRange(10)).isEqualTo(contentRange);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=5-4",
        "bytes=0-1,3-4",
        "bytes=0-1, ",
        "bytes = 0-1",
        "bytes=0 - 1",
        "bytes=+1-2",
        "bytes=1-2-3",
        "bytes=0x1-2",
        "bytes=\u0661-",
        "lines=0-1",
        "0-1"
      })
  void ofRequest_malformedSeveralOrAnotherUnit_isTheWholeFile(String field) {
    assertThat(ByteRange.ofRequest(List.of(field), 10)).isNull();
  }

  @Test
  void ofRequest_noneOrSeveralFields_isTheWholeFile() {
    assertThat(ByteRange.ofRequest(List.of(), 10)).isNull();
    assertThat(ByteRange.ofRequest(List.of("bytes=0-1", "bytes=0-1"), 10)).isNull();
  }

  @Test
  void ofRequest_emptyFile_hasNoPart() {
    assertThat(ByteRange.ofRequest(List.of("bytes=-1"), 0)).isNull();
    assertThat(ByteRange.ofRequest(List.of("bytes=0-"), 0))
        .isNotNull()
        .extracting(r -> r.contentRange(0))
        .isEqualTo("bytes */0");
  }

  @Test
  void ofRequest_anyText_isWholeUnsatisfiableOrInTheFile() {
    Generated.check(
        2000,
        input -> {
          String field =
              switch (input.between(0, 2)) {
                case 0 -> "bytes=" + input.chars("0123456789-, =", 0, 40);
                case 1 -> "bytes=" + number(input) + "-" + number(input);
                default -> input.text(60);
              };
          long size = input.between(0, Long.MAX_VALUE);
          ByteRange range = ByteRange.ofRequest(List.of(field), size);
          if (range != null && !range.isEmpty()) {
            assertThat(range.first()).isBetween(0L, size - 1);
            assertThat(range.length()).isBetween(1L, size - range.first());
          }
        });
  }

  private static String number(Generated input) {
    return input.flag() ? "" : Long.toUnsignedString(input.anyLong());
  }
}
