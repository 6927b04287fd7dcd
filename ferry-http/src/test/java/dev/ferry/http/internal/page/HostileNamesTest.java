package dev.ferry.http.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileFacts;
import dev.ferry.core.Generated;
import dev.ferry.wire.internal.contract.BasePath;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No name becomes markup. */
class HostileNamesTest {
  /** Built from what ends an attribute, an element, a line, a path or a direction of writing. */
  static final List<String> PARTS =
      List.of(
          "<",
          ">",
          "\"",
          "'",
          "&",
          "<script>alert(1)</script>",
          "<!--",
          "-->",
          "]]>",
          "&lt;",
          "%",
          "%22",
          "%2f",
          "?",
          "#",
          ";",
          "\\",
          "\n",
          "\r",
          "\t",
          "\u0001",
          "\u202e",
          "\u2066",
          "é",
          "مرحبا",
          "😀",
          "javascript:",
          "onerror=",
          "{{nonce}}",
          "..",
          " ",
          "a",
          "\u007f",
          "\u0085",
          "\u200e",
          "\u200b",
          "\u2028",
          "\u061c",
          "\ufeff");

  private static String hostileName(Generated input) {
    return input.joined(1, 12, () -> input.of(PARTS)).replace("/", "|");
  }

  @Test
  void escaped_anyName_changesNoTag() {
    Generated.check(1000, input -> assertChangesNoTag(hostileName(input)));
  }

  private static void assertChangesNoTag(String name) {
    Html template = new Html("<p title=\"{{name}}\"><bdi>{{name}}</bdi></p>");
    String html = template.page(BasePath.NONE, Map.of("name", Html.escaped(name))).html();
    assertThat(html).matches("<p title=\"[^<>\"']*\"><bdi>[^<>\"']*</bdi></p>");
    assertThat(
            html.codePoints()
                .anyMatch(
                    c ->
                        Character.isISOControl(c)
                            || Character.getType(c) == Character.FORMAT
                            || c == 0x2028
                            || c == 0x2029))
        .isFalse();
  }

  @Test
  void escaped_whatIsNotSeen_becomesASign() {
    assertThat(
            Html.escaped(
                "a\u007f\u0085\u200e\u200f\u061c\u200b\u200d\ufeff\u2028\u2029\u202e\u00ad\udb40\udc65"))
        .isEqualTo(
            "a\u2421[U+0085][U+200E][U+200F][U+061C][U+200B][U+200D][U+FEFF][U+2028][U+2029]"
                + "[U+202E][U+00AD][U+E0065]");
  }

  @Test
  void row_anyName_hasTheTagsOfAPlainOne() {
    Generated.check(
        1000,
        input -> {
          String name = hostileName(input);
          for (boolean folder : new boolean[] {true, false}) {
            assertThat(tags(row(name, folder))).isEqualTo(tags(row("a", folder)));
          }
        });
  }

  private static String row(String name, boolean folder) {
    return FolderPage.row(new FileFacts("d/" + name, 1, Instant.EPOCH, folder, null));
  }

  private static List<String> tags(String html) {
    Matcher tag = Pattern.compile("<[^>]*>").matcher(html);
    return tag.results().map(r -> r.group().replaceAll("\"[^\"]*\"", "")).toList();
  }
}
