package dev.ferry.cli.program;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The folders of a user, as the XDG Base Directory Specification has them. */
public final class UserFolders {
  private UserFolders() {}

  /**
   * Returns the folder of uploads that were not finished: {@code ferry/uploads} below the variable
   * {@code XDG_STATE_HOME} or below {@code ~/.local/state}.
   *
   * @return null if the user has no home
   */
  public static @Nullable Path uploads(Map<String, String> environment) {
    return below(environment, "XDG_STATE_HOME", ".local/state", "uploads");
  }

  /** Returns the folder of downloads that were not finished, {@code ferry/downloads} there. */
  public static @Nullable Path downloads(Map<String, String> environment) {
    return below(environment, "XDG_STATE_HOME", ".local/state", "downloads");
  }

  /**
   * Returns the file of options: {@code ferry/config} below the variable {@code XDG_CONFIG_HOME} or
   * below {@code ~/.config}.
   *
   * @return null if the user has no home
   */
  public static @Nullable Path config(Map<String, String> environment) {
    return below(environment, "XDG_CONFIG_HOME", ".config", "config");
  }

  private static @Nullable Path below(
      Map<String, String> environment, String variable, String standard, String name) {
    Path folder = Path.of(environment.getOrDefault(variable, ""));
    if (folder.isAbsolute()) {
      return folder.resolve("ferry").resolve(name);
    }
    // The specification has relative paths ignored.
    String home = environment.getOrDefault("HOME", "");
    return home.isEmpty() ? null : Path.of(home, standard, "ferry", name);
  }
}
