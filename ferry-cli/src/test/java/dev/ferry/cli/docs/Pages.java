package dev.ferry.cli.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
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
    for (String folder : List.of(".", "docs", "docs/bench", "docs/results", "deploy", "examples")) {
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

  /**
   * A block of code.
   *
   * @param heading the last heading of the second level before it
   * @param before the line before it
   * @param language empty if the block names none
   */
  record Block(String heading, String before, String language, List<String> lines) {}

  /** The blocks of code of a page. */
  static List<Block> blocks(Path page) {
    List<Block> blocks = new ArrayList<>();
    List<String> code = null;
    String heading = "";
    String before = "";
    for (String line : lines(page)) {
      if (line.startsWith("```")) {
        if (code == null) {
          code = new ArrayList<>();
          blocks.add(new Block(heading, before, line.substring(3), code));
        } else {
          code = null;
        }
      } else if (code != null) {
        code.add(line);
      } else if (line.startsWith("## ")) {
        heading = line.substring(3);
      }
      before = line;
    }
    return blocks;
  }

  /** The lines of the first code block below a heading. */
  static List<String> block(Path page, String heading) {
    return blocks(page).stream()
        .filter(block -> block.heading().equals(heading))
        .findFirst()
        .orElseThrow()
        .lines();
  }

  private static List<String> lines(Path page) {
    try {
      return Files.readAllLines(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
