package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorePathTest {
  private static String nastyText(Generated input) {
    return input.joined(
            0,
            8,
            () ->
                input.of(
                    "a",
                    "/",
                    "//",
                    ".",
                    "..",
                    "...",
                    "\\",
                    "\0",
                    "\n",
                    ".ferry-",
                    " ",
                    "é",
                    "😀",
                    "\uD83D",
                    "\uDE00",
                    "C:",
                    "~",
                    "x".repeat(254)))
        + input.text(3);
  }

  @Test
  void parse_ofAnything_isRefusedOrResolvesBelowTheRoot() {
    Generated.check(1000, input -> assertRefusedOrBelowTheRoot(nastyText(input)));
  }

  private static void assertRefusedOrBelowTheRoot(String text) {
    try {
      String value = StorePath.parse(text).value();
      Path root = Path.of("/root/of/store");
      Path resolved = root.resolve(value);
      assertThat(value).isEqualTo(text);
      assertThat(resolved.normalize()).isEqualTo(resolved).startsWithRaw(root).isNotEqualTo(root);
      assertThat(root.relativize(resolved)).hasToString(value);
      for (Path segment : root.relativize(resolved)) {
        assertThat(segment.toString().getBytes(StandardCharsets.UTF_8).length).isBetween(1, 255);
        assertThat(segment.toString()).doesNotStartWith(".ferry-");
      }
    } catch (FerryException e) {
      assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_PATH);
      assertThat(e.getMessage()).startsWith("invalid path '").doesNotContain("\n", "\0");
      // A path that is printed or sent can be encoded.
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(e.getMessage())).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a/b/c",
        "a b",
        "...",
        "..a",
        "a..",
        ".hidden",
        "-rf",
        "~",
        "%2e%2e",
        "C:",
        "COM1",
        "über",
        "日本語/😀",
        ".ferry",
        "x.ferry-y",
        "a\\b",
        "..\\a",
        "dev-disk\\x2dswap.swap",
        "a\nb",
        "Icon\r",
        "a\tb",
        "\u001b[31m",
        "\u007f",
        "\u0085",
        "\ufffd"
      })
  void parse_ofAPlainName_keepsIt(String text) throws Exception {
    assertThat(StorePath.parse(text).value()).isEqualTo(text);
    assertThat(StorePath.parse(text)).hasToString(text);
    assertThat(StorePath.parseDirectory(text)).isEqualTo(StorePath.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/etc/passwd",
        "//a",
        "a//b",
        "a/",
        ".",
        "..",
        "../a",
        "a/..",
        "a/../b",
        "a/./b",
        "./a",
        "a\0",
        "a/\0b",
        ".ferry-1-2-0123456789abcdef.part",
        ".ferry-",
        ".Ferry-x",
        "a/.ferry-x/b"
      })
  void parse_ofAnAttack_isInvalidPath(String text) {
    assertInvalid(text);
  }

  @Test
  void parse_ofSegmentLengths_countsBytes() throws Exception {
    for (String longest :
        List.of("x".repeat(255), "é".repeat(127) + "x", "😀".repeat(63) + "xyz")) {
      assertThat(StorePath.parse("a/" + longest).value()).endsWith(longest);
      assertInvalid("a/" + longest + "x");
    }
    assertInvalid("é".repeat(128));
    assertInvalid("😀".repeat(64));
  }

  @Test
  void parse_ofPathLengths_countsBytes() throws Exception {
    String longest = "x/".repeat(2047) + "xx";
    assertThat(StorePath.parse(longest).value()).hasSize(StorePath.MAX_PATH_BYTES);
    assertInvalid(longest + "x");
    assertInvalid("é/".repeat(1400));
  }

  @ParameterizedTest
  @ValueSource(ints = {0xD83D, 0xDE00})
  void parse_ofAnUnpairedSurrogate_isInvalidPath(int surrogate) {
    assertInvalid("a" + (char) surrogate);
    assertInvalid((char) surrogate + "a/b");
    assertInvalid("\uDE00\uD83D");
  }

  @Test
  void parseDirectory_ofNothing_isTheRoot() throws Exception {
    assertThat(StorePath.parseDirectory("")).isSameAs(StorePath.ROOT);
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> StorePath.parseDirectory("/"))
        .matches(e -> e.kind() == ErrorKind.INVALID_PATH);
  }

  private static void assertInvalid(String text) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> StorePath.parse(text))
        .matches(e -> e.kind() == ErrorKind.INVALID_PATH);
  }
}
