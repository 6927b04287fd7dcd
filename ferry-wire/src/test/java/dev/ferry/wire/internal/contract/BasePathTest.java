package dev.ferry.wire.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ferry.core.internal.PlainText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BasePathTest {
  @ParameterizedTest
  @CsvSource({"/, ''", "/ferry, /ferry", "/ferry/, /ferry", "/a/b-1_~.c, /a/b-1_~.c"})
  void parse_aPath_hasNoSlashAtItsEnd(String text, String value) {
    assertThat(BasePath.parse(text).value()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "//", "ferry", "/a//b", "/a b", "/a%20b", "/..", "/a/./b", "/a?b"})
  void parse_somethingElse_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BasePath.parse(text))
        .withMessageStartingWith("'" + text + "' is not a base path");
  }

  @Test
  void parse_whatOthersMadeUp_hasARefusalOfOneLine() {
    assertThat(BasePath.parse("/a".repeat(100_000)).value()).hasSize(200_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BasePath.parse("/a\n\u0000"))
        .withMessageStartingWith("'" + PlainText.of("/a\n\u0000") + "' is not a base path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/files", "/a/uploads", "/page/x", "/health"})
  void parse_aPathOfTheServerItself_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BasePath.parse(text))
        .withMessageContaining("is a path of the server itself; choose another");
  }

  @ParameterizedTest
  @CsvSource({
    "/ferry/files/a?b, /files/a?b",
    "/ferry, /",
    "/ferry?x, /?x",
    "/files/ferry, /files/ferry",
    "/ferryman/files/a, /ferryman/files/a",
    "/ferry/ferry/files/, /ferry/files/"
  })
  void without_aPathOrNone_isThatOfTheServer(String path, String expected) {
    assertThat(new BasePath("/ferry").without(path)).isEqualTo(expected);
    assertThat(BasePath.NONE.without(path)).isEqualTo(path);
  }
}
