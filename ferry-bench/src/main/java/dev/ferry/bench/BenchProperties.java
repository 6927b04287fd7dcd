package dev.ferry.bench;

import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A file of options that a user keeps, such as {@code buffer-sizes=16K,64K} in a line. */
final class BenchProperties {
  /** The file that is read if no other is given and it exists. */
  static final Path DEFAULT = Path.of("bench.properties");

  /** Options that make no sense in a file. */
  private static final Set<String> NOT_KEPT =
      Set.of(
          "--config",
          "--resume",
          "--list",
          "--dry-run",
          "--tls",
          "--server",
          "--token-file",
          "--help",
          "--version",
          "--debug");

  private static final String PREFIX = "--";

  private BenchProperties() {}

  /**
   * Returns the options of a file that the command line has not.
   *
   * @param command the command with its parsed command line
   * @throws LabException if the file cannot be read, or if a key is no option of the command
   */
  static List<String> options(CommandSpec command, Path file) throws LabException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw LabException.usage("--config: %s cannot be read; give a text file".formatted(file));
    }
    List<String> options = new ArrayList<>();
    for (String key : new TreeSet<>(properties.stringPropertyNames())) {
      String value = properties.getProperty(key).strip();
      OptionSpec option = option(command, key);
      if (option == null) {
        throw LabException.usage(
            "%s: '%s' is not an option to keep; %s"
                .formatted(file, key, Choice.hint(names(command), key)));
      }
      if (command.commandLine().getParseResult().hasMatchedOption(option)) {
        continue;
      }
      if (option.arity().max() > 0) {
        options.add(PREFIX + key + "=" + value);
      } else if (value.equals("true")) {
        options.add(PREFIX + key);
      } else if (!value.equals("false")) {
        throw LabException.usage("%s: %s is '%s'; give true or false".formatted(file, key, value));
      }
    }
    return options;
  }

  private static @Nullable OptionSpec option(CommandSpec command, String key) {
    String name = PREFIX + key;
    return NOT_KEPT.contains(name) ? null : command.findOption(name);
  }

  private static List<String> names(CommandSpec command) {
    return command.optionsMap().keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !NOT_KEPT.contains(name))
        .map(name -> name.substring(PREFIX.length()))
        .toList();
  }
}
