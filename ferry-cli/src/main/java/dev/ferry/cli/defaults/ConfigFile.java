package dev.ferry.cli.defaults;

import dev.ferry.cli.program.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of options that a user keeps, one a line, such as {@code chunk-size = 256K}. A command
 * before a dot is the only one for which the line holds, as in {@code put.gzip = auto}. Empty lines
 * and those that begin with {@code #} mean nothing.
 */
final class ConfigFile {
  /** The variable that names another file; an empty value means none. */
  static final String VARIABLE = "FERRY_CONFIG";

  private final Map<String, Setting> settings;

  private ConfigFile(Map<String, Setting> settings) {
    this.settings = settings;
  }

  /**
   * Returns the path of the file of a user.
   *
   * @return null if there is none, because the variable is empty or the user has no home
   */
  static @Nullable Path path(Map<String, String> environment) {
    String named = environment.get(VARIABLE);
    if (named != null) {
      return named.isEmpty() ? null : Path.of(named);
    }
    return UserFolders.config(environment);
  }

  /**
   * Reads the file. One that does not exist or may not be read is empty, unless the variable names
   * it.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static ConfigFile read(Map<String, String> environment) {
    Path file = path(environment);
    boolean named = environment.containsKey(VARIABLE);
    // A service may have the home of another user, or none.
    if (file == null || !named && !Files.isReadable(file)) {
      return new ConfigFile(Map.of());
    }
    try {
      return new ConfigFile(parse(file, Files.readAllLines(file)));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(VARIABLE + ": " + file + ": no such file", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read; give a file of text", e);
    }
  }

  private static Map<String, Setting> parse(Path file, List<String> lines) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String source = file + ":" + (i + 1);
      int equals = line.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            source + ": '" + line + "' is not NAME = VALUE, such as chunk-size = 256K");
      }
      String name = line.substring(0, equals).strip();
      Setting former = settings.put(name, new Setting(line.substring(equals + 1).strip(), source));
      if (former != null) {
        throw new IllegalArgumentException(
            source + ": " + name + " is set at " + former.source() + " as well; leave out one");
      }
    }
    return settings;
  }

  /** Returns all lines by their names. */
  Map<String, Setting> settings() {
    return settings;
  }
}
