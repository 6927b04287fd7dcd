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
    String folder = environment.getOrDefault("XDG_STATE_HOME", "");
    if (!folder.isEmpty()) {
      return Path.of(folder, "ferry", "uploads");
    }
    String home = environment.getOrDefault("HOME", "");
    return home.isEmpty() ? null : Path.of(home, ".local", "state", "ferry", "uploads");
  }
}
