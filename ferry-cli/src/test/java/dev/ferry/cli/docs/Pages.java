package dev.ferry.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The documents of the repository, which users read as they are in it. */
final class Pages {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  static final Path README = ROOT.resolve("README.md");
  static final Path ARCHITECTURE = ROOT.resolve("ARCHITECTURE.md");

  private Pages() {}

  /** Every document that is a page of its own. */
  static List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : List.of(".", "docs", "docs/results", "deploy", "deploy/load/jmeter")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder).normalize())) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  /** The lines of a page, without those of its code blocks. */
  static List<String> prose(Path page) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (!code) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** The lines of the first code block below a heading. */
  static List<String> block(Path page, String heading) throws IOException {
    return Files.readAllLines(page).stream()
        .dropWhile(line -> !line.equals("## " + heading))
        .dropWhile(line -> !line.startsWith("```"))
        .skip(1)
        .takeWhile(line -> !line.startsWith("```"))
        .toList();
  }
}
