package dev.ferry.cli.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses files of a tree. Who asks for a name must have asked for each folder above it: what is
 * below a folder that is not entered is not chosen, whatever its name is.
 */
public final class NameFilter {
  private final List<PathPattern> included;
  private final List<PathPattern> excluded;
  private final @Nullable String reserved;

  /**
   * @param included patterns of which a file must match one; none means all files
   * @param excluded patterns of which no file or folder may match one
   */
  NameFilter(List<PathPattern> included, List<PathPattern> excluded) {
    this(included, excluded, null);
  }

  private NameFilter(
      List<PathPattern> included, List<PathPattern> excluded, @Nullable String reserved) {
    this.included = included;
    this.excluded = excluded;
    this.reserved = reserved;
  }

  /** Returns a filter that does not choose this path either, unless it is null. */
  public NameFilter reserving(@Nullable String path) {
    return new NameFilter(included, excluded, path);
  }

  /** Whether a file is chosen. */
  public boolean takes(String file) {
    return (included.isEmpty() || matches(included, file, false))
        && !matches(excluded, file, false)
        && !reserves(file);
  }

  /** Whether the files of a folder can be chosen. */
  public boolean enters(String folder) {
    return !matches(excluded, folder, true) && !reserves(folder);
  }

  /** Whether what may be a file or a folder is chosen. */
  public boolean asksFor(String path) {
    return takes(path) && enters(path);
  }

  /** Whether this is the path that is reserved. */
  public boolean reserves(String path) {
    return path.equals(reserved);
  }

  /** Whether a folder is above the path that is reserved. */
  public boolean holdsReserved(String folder) {
    return reserved != null && reserved.startsWith(folder + "/");
  }

  private static boolean matches(List<PathPattern> patterns, String path, boolean folder) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(path, folder));
  }
}
