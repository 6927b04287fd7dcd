package dev.ferry.cli.tree;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Chooses files of a tree by glob patterns, such as {@code *.csv} or {@code 2026/**}. A pattern
 * without {@code /} is for the last name of a path, any other is for the whole path below the root
 * of the tree.
 */
public final class NameFilter {
  private final List<PathMatcher> included;
  private final List<PathMatcher> excluded;

  /**
   * @param included patterns of which a file must match one; none means all files
   * @param excluded patterns of which no file or directory may match one
   * @throws IllegalArgumentException if a pattern is malformed; the message names it
   */
  public NameFilter(List<String> included, List<String> excluded) {
    this.included = included.stream().map(NameFilter::matcher).toList();
    this.excluded = excluded.stream().map(NameFilter::matcher).toList();
  }

  private static PathMatcher matcher(String pattern) {
    PathMatcher glob;
    try {
      glob = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "'" + pattern + "' is no pattern: " + e.getDescription(), e);
    }
    return pattern.contains("/") ? glob : path -> glob.matches(path.getFileName());
  }

  /** Whether a file is chosen. */
  public boolean takes(String file) {
    return (included.isEmpty() || matches(included, file)) && !matches(excluded, file);
  }

  /** Whether the files of a directory can be chosen. */
  public boolean enters(String directory) {
    return !matches(excluded, directory);
  }

  private static boolean matches(List<PathMatcher> matchers, String path) {
    Path name = Path.of(path);
    return matchers.stream().anyMatch(matcher -> matcher.matches(name));
  }
}
