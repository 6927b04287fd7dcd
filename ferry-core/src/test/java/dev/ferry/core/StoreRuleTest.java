package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.StoreRule.Permission;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreRuleTest {
  @ParameterizedTest
  @CsvSource({
    "read:/, READ, ''",
    "list:/a, LIST, a",
    "create:/a/b c, CREATE, a/b c",
    "write:/a:/b, WRITE, a:/b",
    "all:/inbox/, ALL, inbox"
  })
  void parse_aRule_readsPermissionAndPath(String text, Permission permission, String path)
      throws Exception {
    StoreRule rule = StoreRule.parse(text);
    assertThat(rule)
        .isEqualTo(
            new StoreRule(
                permission, StorePath.parseDirectory(path), !path.isEmpty() && text.endsWith("/")));
    assertThat(rule).hasToString(text);
    assertThat(StoreRule.parse(rule.toString())).isEqualTo(rule);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "read", "read:", "read:a", ":/", "Read:/", "rename:/", "/a", "read/a"})
  void parse_anythingElse_saysWhatARuleIs(String text) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> StoreRule.parse(text))
        .withMessageStartingWith("'" + text + "' is not a rule; give read, list, ")
        .matches(e -> e.kind() == ErrorKind.INVALID_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"read://", "read:/..", "read:/a/../b", "read:/a//b", "read:/a\n", "all:/."})
  void parse_aPathThatIsNotPlain_isInvalidPath(String text) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> StoreRule.parse(text))
        .matches(e -> e.kind() == ErrorKind.INVALID_PATH);
  }

  @ParameterizedTest
  @CsvSource({
    "READ, READ",
    "LIST, LIST",
    "CREATE, CREATE",
    "WRITE, CREATE WRITE",
    "DELETE, DELETE",
    "ALL, READ LIST CREATE WRITE DELETE ALL"
  })
  void permits_permission_isItsOwnAndThoseItIncludes(Permission permission, String included) {
    StoreRule rule = new StoreRule(permission, StorePath.ROOT);
    for (Permission wanted : Permission.values()) {
      assertThat(rule.permits(wanted, new StorePath("f")))
          .as(wanted.name())
          .isEqualTo(List.of(included.split(" ")).contains(wanted.name()));
    }
  }

  private static List<String> segments(Generated input) {
    return input.list(0, 3, () -> input.of("a", "ab", "b", "A"));
  }

  @Test
  void isWithin_anyPaths_comparesWholeSegments() {
    Generated.check(
        1000,
        input -> {
          List<String> path = segments(input);
          List<String> directory = segments(input);
          boolean within =
              path.size() >= directory.size()
                  && path.subList(0, directory.size()).equals(directory);
          assertThat(joined(path).isWithin(joined(directory))).isEqualTo(within);
        });
  }

  private static StorePath joined(List<String> segments) {
    return new StorePath(String.join("/", segments));
  }
}
