package dev.ferry.cli.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for trees of files. */
public final class TreeFlags {
  private static final int MOST_JOBS = 64;
  private static final String INCLUDE = "--include";
  private static final String EXCLUDE = "--exclude";
  private static final String LINKS = "--links";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = INCLUDE,
      paramLabel = "PATTERN",
      description =
          "For trees: copy only files that match this pattern (same syntax as --exclude). Can be"
              + " given several times; a file must match at least one of them.")
  private List<String> included = List.of();

  @Option(
      names = EXCLUDE,
      paramLabel = "PATTERN",
      description =
          "For trees: leave out files and folders that match this pattern, and everything below"
              + " them. The syntax is that of .gitignore: '*.csv' and 'tmp/' match names at any"
              + " depth, '/tmp' and 'a/*.csv' match paths below the folder, and a pattern that ends"
              + " with '/' matches only folders.")
  private List<String> excluded = List.of();

  @Option(
      names = LINKS,
      description =
          "For trees: copy symbolic links as links, not the files they point to. A link whose"
              + " target is absolute or outside the tree is left out and reported.")
  private boolean links;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "For trees: how many files to copy at a time, 1 to "
              + MOST_JOBS
              + " (default: ${DEFAULT-VALUE}).")
  private int jobs = 4;

  /** The option that is for trees alone; null if there is none. */
  @Nullable String treeOption() {
    String filter = !included.isEmpty() ? INCLUDE : excluded.isEmpty() ? null : EXCLUDE;
    return filter == null && links ? LINKS : filter;
  }

  /** Whether links are made as links. */
  public boolean links() {
    return links;
  }

  public NameFilter filter() {
    List<PathPattern> files = included.stream().map(text -> pattern(INCLUDE, text)).toList();
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).isForFolders()) {
        String text = included.get(i);
        throw wrongUse(
            "%s: '%s' matches only folders, but the option selects files; write '%s**'"
                .formatted(
                    INCLUDE, text, text.indexOf('/') < text.length() - 1 ? text : "**/" + text));
      }
    }
    return new NameFilter(files, excluded.stream().map(text -> pattern(EXCLUDE, text)).toList());
  }

  private PathPattern pattern(String option, String text) {
    try {
      return PathPattern.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrongUse(option + ": " + e.getMessage());
    }
  }

  /** How many files are copied at a time. */
  public int jobs() {
    if (jobs < 1 || jobs > MOST_JOBS) {
      throw wrongUse("--jobs: %d is not from 1 to %d".formatted(jobs, MOST_JOBS));
    }
    return jobs;
  }

  private ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
