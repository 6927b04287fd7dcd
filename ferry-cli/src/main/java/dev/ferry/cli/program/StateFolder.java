package dev.ferry.cli.program;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The folder of a user for what one command leaves for the next. */
public final class StateFolder {
  private StateFolder() {}

  /**
   * Returns the folder of uploads that were not finished: {@code ferry/uploads} below the variable
   * {@code XDG_STATE_HOME} or below {@code ~/.local/state}.
   *
   * @return null if the user has no home
   */
  public static @Nullable Path uploads(Map<String, String> environment) {
    return below(environment, "uploads");
  }

  /** Returns the folder of downloads that were not finished, {@code ferry/downloads} there. */
  public static @Nullable Path downloads(Map<String, String> environment) {
    return below(environment, "downloads");
  }

  private static @Nullable Path below(Map<String, String> environment, String name) {
    String folder = environment.getOrDefault("XDG_STATE_HOME", "");
    if (!folder.isEmpty()) {
      return Path.of(folder, "ferry", name);
    }
    String home = environment.getOrDefault("HOME", "");
    return home.isEmpty() ? null : Path.of(home, ".local", "state", "ferry", name);
  }
}
