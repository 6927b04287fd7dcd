package dev.ferry.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The links between the pages. */
final class LinksTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

  static List<Path> pages() throws IOException {
    return Pages.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void links_ofAPage_leadSomewhere(Path page) throws IOException {
    List<String> links =
        LINK.matcher(String.join("\n", Pages.prose(page)))
            .results()
            .map((MatchResult link) -> link.group(1))
            .filter(link -> !link.contains("://"))
            .toList();
    for (String link : links) {
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(target).as(link).exists();
      if (parts.length == 2) {
        assertThat(anchors(target)).as(link).contains(parts[1]);
      }
    }
  }

  /** Where links into a page may lead. */
  private static List<String> anchors(Path page) throws IOException {
    return Pages.prose(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void pages_ofDocs_areLinkedFromAnother() throws IOException {
    List<Path> pages = Pages.all();
    for (Path page : pages) {
      if (page.startsWith(Pages.ROOT.resolve("docs"))) {
        String name = page.getFileName().toString();
        assertThat(pages)
            .as("pages that link %s", name)
            .anyMatch(other -> !other.equals(page) && links(other, name));
      }
    }
  }

  private static boolean links(Path page, String name) {
    try {
      return Files.readString(page).matches("(?s).*]\\((docs/|\\.\\./docs/)?" + name + "[#)].*");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
