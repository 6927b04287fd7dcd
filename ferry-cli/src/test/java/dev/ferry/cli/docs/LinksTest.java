package dev.ferry.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    for (String link : links(page)) {
      Path target = target(page, link);
      assertThat(target).as(link).exists();
      if (link.contains("#")) {
        assertThat(anchors(target)).as(link).contains(link.substring(link.indexOf('#') + 1));
      }
    }
  }

  /** The links of a page to files of the repository. */
  private static List<String> links(Path page) throws IOException {
    return LINK.matcher(String.join("\n", Pages.prose(page)))
        .results()
        .map((MatchResult link) -> link.group(1))
        .filter(link -> !link.contains("://"))
        .toList();
  }

  private static Path target(Path page, String link) {
    String file = link.split("#", 2)[0];
    return file.isEmpty() ? page : page.resolveSibling(file).normalize();
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
  void pages_ofDocsAndExamples_areLinkedFromAnother() throws IOException {
    Set<Path> linked = new HashSet<>();
    for (Path page : Pages.all()) {
      for (String link : links(page)) {
        Path target = target(page, link);
        if (!target.equals(page)) {
          linked.add(target);
        }
      }
    }
    List<Path> folders = List.of(Pages.ROOT.resolve("docs"), Pages.ROOT.resolve("examples"));
    assertThat(linked)
        .containsAll(
            Pages.all().stream()
                .filter(page -> folders.stream().anyMatch(page::startsWith))
                .toList());
  }

  /** What says that something is defended names the tests of it. */
  @Test
  void tests_thatSecurityNames_exist() throws IOException {
    Set<String> tests = new HashSet<>();
    for (String module :
        List.of(
            "ferry-core",
            "ferry-grpc",
            "ferry-http",
            "ferry-wire",
            "ferry-web",
            "ferry-s3",
            "ferry-cli")) {
      try (Stream<Path> files = Files.walk(Pages.ROOT.resolve(module + "/src/test"))) {
        files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
      }
    }
    List<String> named =
        Pattern.compile("`(\\w+Test)`")
            .matcher(Files.readString(Pages.ROOT.resolve("SECURITY.md")))
            .results()
            .map(test -> test.group(1))
            .toList();
    assertThat(named).isNotEmpty();
    assertThat(tests).containsAll(named);
  }
}
