package dev.ferry.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Generated;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathPatternTest {
  /** Names of a tree in which each one is a folder of all of them, and those below are files. */
  private static final List<String> NAMES = List.of("a", "b", "ab", "ba", "aba", "-", "]", "a*");

  /** Whether patterns choose a path, or a folder above it. Folders end with a slash. */
  private static boolean excludes(PathPattern pattern, String path) {
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (pattern.matches(path.substring(0, end), true)) {
        return true;
      }
    }
    return !path.endsWith("/") && pattern.matches(path, false);
  }

  @ParameterizedTest
  @CsvSource({
    // A slash at the end is for folders, at any depth.
    "uploads/, uploads/ uploads/x a/uploads/x, uploads a/uploads xuploads/",
    // One at the start, or in the middle, is the root of the tree.
    "/uploads, uploads uploads/x, a/uploads a/uploads/x",
    "./uploads, uploads uploads/x, a/uploads",
    "/uploads/, uploads/, uploads a/uploads/",
    "a/b, a/b a/b/c, b x/a/b ab",
    "/*.csv, x.csv .csv, a/x.csv x.csv~",
    // Without one it is for a name at any depth.
    "uploads, uploads uploads/ uploads/x a/b/uploads, uploads2 Uploads",
    "*.csv, x.csv a/x.csv x.csv/y, x.csv2 csv",
    // Two stars are any number of folders.
    "**/uploads/**, uploads/x a/uploads/b/x, uploads uploads/ a/uploads/",
    "**/x, x a/x a/b/x, xx a/xx",
    "x/**, x/a x/a/b, x x/ a/x/b",
    "a/**/b, a/b a/x/b a/x/y/b, b ab a/bb x/a/b",
    "a/**/, a/b/ a/b/c, a a/ a/b",
    "**, a a/b, ",
    "a**b, ab axb, a/b a/x/b",
    // Stars and question marks do not stand for a slash.
    "/a*c, abc ac ac/x, a/c",
    "/a?c, abc a😀c, ac a/c abbc",
    "[a-c]x, ax bx, dx -x",
    "[!a-c]x, dx, ax /x",
    "[^a]x, bx, ax",
    "[]a-]x, ]x ax -x, bx",
    "'[\\]\\-]', ] -, \\",
    "\\*\\?\\[\\{, *?[{, aaa[{",
    "'a\\\\b', a\\b x/a\\b, ab",
    "a]}, a]}, a",
    "#a, #a, a",
  })
  void matches_pattern_choosesPathsAsGitignoreDoes(String pattern, String chosen, String others) {
    PathPattern parsed = PathPattern.parse(pattern);
    assertThat(chosen.split(" ")).allMatch(path -> excludes(parsed, path));
    assertThat(others == null ? new String[0] : others.split(" "))
        .noneMatch(path -> excludes(parsed, path));
  }

  @Test
  void matches_controlCharactersAndNamesOfOtherEncodings_areCharacters() {
    assertThat(PathPattern.parse("a?b").matches("a\nb", false)).isTrue();
    assertThat(PathPattern.parse("a*").matches("a\r\n\t\u0001", false)).isTrue();
    assertThat(PathPattern.parse("\uDCE9?").matches("x/\uDCE9\uDCE8", false)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//",
        "./",
        ".//",
        "a//b",
        "//a",
        "a//",
        ".",
        "..",
        "../a",
        "a/../b",
        "a/./b",
        "a/..",
        "\\.",
        "[",
        "a[b",
        "[]",
        "[!",
        "[!]",
        "[a/b]",
        "a[/]b",
        "[a\\]",
        "\\",
        "a\\",
        "a\\/b",
        "a\\/",
        "[b-a]",
        "[[:alpha:]]",
        "*.{jpg,png}",
        "{",
        "!a"
      })
  void parse_patternThatCannotMatch_isRefusedWithARemedy(String pattern) {
    assertThatThrownBy(() -> PathPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + pattern + "' is not a pattern: ")
        .hasMessageContaining("; ");
  }

  @Test
  @Timeout(300)
  void matches_manyStars_ends() {
    PathPattern name = PathPattern.parse("*a".repeat(2_000) + "b");
    assertThat(name.matches("a".repeat(4_000), false)).isFalse();
    PathPattern path = PathPattern.parse("**/a/".repeat(200) + "b");
    assertThat(path.matches("a/".repeat(400) + "a", false)).isFalse();
    PathPattern both = PathPattern.parse("**/*a*a*a*a*a*a*b/".repeat(50) + "b");
    assertThat(both.matches(("a".repeat(50) + "/").repeat(100) + "a", false)).isFalse();
  }

  private static String pattern(Generated input) {
    List<String> parts =
        List.of("a", "b", "/", "*", "**", "?", "[ab]", "[!a]", "\\a", "\\*", "]", "-");
    return input.joined(1, 7, () -> input.of(parts));
  }

  private static String path(Generated input) {
    return String.join("/", input.list(1, 4, () -> input.chars("ab*]-\\é", 1, 4)));
  }

  private static Optional<PathPattern> parsed(String pattern) {
    try {
      return Optional.of(PathPattern.parse(pattern));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Test
  void matches_anyPatternAndPath_areThoseOfTheDefinition() {
    Generated.check(3_000, input -> assertMatchesAsDefined(pattern(input), path(input)));
  }

  private static void assertMatchesAsDefined(String pattern, String path) {
    Optional<PathPattern> parsed = parsed(pattern);
    if (parsed.isPresent()) {
      String whole = pattern.replaceFirst("/$", "");
      String rooted = whole.contains("/") ? whole.replaceFirst("^/", "") : "**/" + whole;
      assertThat(parsed.get().matches(path, true))
          .as("%s of %s", pattern, path)
          .isEqualTo(defined(rooted, true, path, true));
      assertThat(parsed.get().matches(path, false))
          .isEqualTo(!pattern.endsWith("/") && parsed.get().matches(path, true));
    }
  }

  /**
   * What a pattern means, word by word and without any thought of time.
   *
   * @param start whether the pattern is at the start of a name
   * @param any whether two stars may stand for folders here: they do so at the start of a name
   */
  private static boolean defined(String pattern, boolean start, String path, boolean any) {
    if (pattern.isEmpty()) {
      return path.isEmpty();
    }
    String stars = pattern.replaceFirst("^(\\*+).*$", "$1");
    if (start && any && stars.matches("\\*{2,}")) {
      String rest = pattern.substring(stars.length());
      if (rest.isEmpty()) {
        return !path.isEmpty();
      }
      if (rest.startsWith("/")) {
        int slash = path.indexOf('/');
        return defined(rest.substring(1), true, path, true)
            || (slash >= 0 && defined(pattern, true, path.substring(slash + 1), true));
      }
    }
    if (pattern.startsWith("*")) {
      return defined(pattern.substring(1), false, path, false)
          || (!path.isEmpty()
              && path.charAt(0) != '/'
              && defined(pattern, false, path.substring(1), false));
    }
    if (path.isEmpty()) {
      return false;
    }
    String first = path.substring(0, 1);
    for (String set : List.of("[ab]", "[!a]", "?", "\\a", "\\*")) {
      if (pattern.startsWith(set)) {
        boolean fits =
            switch (set) {
              case "[ab]" -> "ab".contains(first);
              case "[!a]" -> !"a/".contains(first);
              case "?" -> !first.equals("/");
              default -> set.endsWith(first);
            };
        return fits && defined(pattern.substring(set.length()), false, path.substring(1), false);
      }
    }
    return pattern.startsWith(first)
        && defined(pattern.substring(1), first.equals("/"), path.substring(1), first.equals("/"));
  }

  @Test
  @Timeout(300)
  void matches_generatedPatterns_areThoseOfGit(@TempDir Path folder) throws Exception {
    Assumptions.assumeTrue(
        run(folder, "", "git", "init", "-q").isPresent(), "git is not installed");
    List<String> paths = new ArrayList<>();
    for (String top : NAMES) {
      for (String middle : NAMES) {
        Files.createDirectories(folder.resolve(top).resolve(middle).resolve("a"));
        paths.add(top + "/" + middle + "/a/");
        for (String file : NAMES.subList(1, NAMES.size())) {
          paths.add(top + "/" + middle + "/" + file);
        }
      }
    }
    for (String path : paths) {
      if (!path.endsWith("/")) {
        TestFiles.write(folder.resolve(path), new byte[0]);
      }
    }
    // Of "a**/b" git compares "a" first, and then takes the rest for the pattern "**/b", unlike its
    // manual.
    Pattern unlikeItsManual = Pattern.compile("[^/*]\\*\\*");
    Set<String> tried = new HashSet<>();
    Generated.check(
        Round.times(100, 500),
        input -> {
          String pattern = pattern(input);
          Optional<PathPattern> parsed = parsed(pattern);
          if (parsed.isPresent()
              && !unlikeItsManual.matcher(pattern).find()
              && tried.add(pattern)) {
            assertChoosesAsGit(folder, paths, pattern, parsed.get());
          }
        });
  }

  private static void assertChoosesAsGit(
      Path folder, List<String> paths, String pattern, PathPattern parsed) throws Exception {
    Files.writeString(folder.resolve(".git/info/exclude"), pattern + "\n");
    String ignored =
        run(
                folder,
                String.join("\0", paths) + "\0",
                "git",
                "-c",
                "core.excludesFile=/dev/null",
                "check-ignore",
                "--no-index",
                "--stdin",
                "-z")
            .orElseThrow();
    assertThat(paths.stream().filter(path -> excludes(parsed, path)))
        .as(pattern)
        .containsExactlyElementsOf(
            Stream.of(ignored.split("\0")).filter(path -> !path.isEmpty()).toList());
  }

  /** Returns the standard output of a program; nothing if it is not installed. */
  private static Optional<String> run(Path folder, String input, String... command)
      throws Exception {
    Process process;
    try {
      process = new ProcessBuilder(command).directory(folder.toFile()).start();
    } catch (IOException e) {
      return Optional.empty();
    }
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return Optional.of(output);
  }
}
