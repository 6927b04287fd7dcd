package dev.ferry.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.core.internal.PlainText;
import java.nio.charset.StandardCharsets;

/** Patterns of paths, and paths of a server: the input has them around its first line break. */
final class PathPatternFuzzTest implements FuzzTarget {
  private static final int MOST_PATTERN = 1024;

  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    String path = text.substring(end + 1);
    String pattern = end < 0 ? text : text.substring(0, end);
    try {
      PathPattern parsed = PathPattern.parse(pattern);
      // What a match takes is the product of both, which is not to be measured here.
      if (pattern.length() <= MOST_PATTERN) {
        boolean folder = parsed.matches(path, true);
        assertThat(parsed.matches(path, false)).isEqualTo(folder && !parsed.isForFolders());
      }
    } catch (IllegalArgumentException e) {
      assertRefused(e);
    }
    itself(path);
  }

  /** A path of which all that is special is escaped is a pattern for itself, and for no other. */
  private static void itself(String path) {
    String escaped = "/" + path.replaceAll("[\\\\*?\\[{!]", "\\\\$0");
    try {
      PathPattern parsed = PathPattern.parse(escaped);
      if (!path.endsWith("/")) {
        assertThat(parsed.matches(path, false)).as("%s", path).isTrue();
        assertThat(parsed.matches(path + "x", false)).as("%s", path).isFalse();
        assertThat(parsed.matches("x/" + path, false)).as("%s", path).isFalse();
      }
    } catch (IllegalArgumentException e) {
      assertRefused(e);
    }
  }

  private static void assertRefused(IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(message).contains(" is not a pattern: ").isEqualTo(PlainText.of(message));
  }
}
