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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--include",
      paramLabel = "GLOB",
      description =
          "Of a tree: copy only files that match this pattern, such as '*.csv'. One with '/' is"
              + " for the path below the folder, such as '2026/**', any other for the last name."
              + " Can be given several times: one of them has to match.")
  private List<String> included = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description = "Of a tree: leave out the files and folders that match this pattern.")
  private List<String> excluded = List.of();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Of a tree: how many files to copy at a time, 1 to "
              + MOST_JOBS
              + " (default: ${DEFAULT-VALUE}).")
  private int jobs = 4;

  @SuppressWarnings("NullAway.Init") // picocli injects the specification
  public TreeFlags() {}

  /** The option that chooses files; null if there is none. */
  @Nullable String filterOption() {
    return !included.isEmpty() ? "--include" : excluded.isEmpty() ? null : "--exclude";
  }

  public NameFilter filter() {
    try {
      return new NameFilter(included, excluded);
    } catch (IllegalArgumentException e) {
      throw wrongUse("--include, --exclude: " + e.getMessage());
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
