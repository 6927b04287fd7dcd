package dev.ferry.cli.defaults;

import dev.ferry.core.internal.KnownNames;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Gives an option that is not on the command line the value of its variable, such as {@code
 * FERRY_CHUNK_SIZE} for {@code --chunk-size}, or of its line in a {@link ConfigFile}, in this
 * order. One thread at a time.
 */
public final class OptionDefaults implements IDefaultValueProvider {
  private static final String PREFIX = "--";

  /**
   * Options that are for one command line. A file that is replaced or deleted, a check that is left
   * out, or a token that is sent has to be asked for where it happens.
   */
  private static final Set<String> GIVEN_ONLY =
      Set.of(
          "--help",
          "--version",
          "--delete",
          "--force",
          "--init",
          "--insecure-anyone",
          "--insecure-no-tls",
          "--token-file",
          "--target-token-file",
          "--recursive");

  private final Map<String, String> environment;
  private final Supplier<CommandLine> program;
  private @Nullable ConfigFile file;

  /**
   * @param environment the variables of the process
   * @param program the program with all its commands, whose options a file may have; used if there
   *     is a file
   */
  public OptionDefaults(Map<String, String> environment, Supplier<CommandLine> program) {
    this.environment = Map.copyOf(environment);
    this.program = program;
  }

  /** Makes these the defaults of all commands of a program. Call this after they were added. */
  public void addTo(CommandLine line) {
    line.setDefaultValueProvider(this);
  }

  /** Returns the value of an option with one; flags are set by {@link #setFlags}. */
  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || isFlag(option)) {
      return null;
    }
    Setting setting = find(option.command(), option);
    return setting == null ? null : setting.text();
  }

  /**
   * Sets the flags that the command line does not have. As a default value, picocli would reverse a
   * flag that is given.
   */
  public void setFlags(ParseResult parsed) {
    CommandSpec command = parsed.commandSpec();
    for (OptionSpec option : command.options()) {
      Setting setting = isFlag(option) ? find(command, option) : null;
      if (setting != null && !parsed.hasMatchedOption(option)) {
        option.setValue(flag(command, option, setting));
      }
    }
  }

  private static boolean flag(CommandSpec command, OptionSpec option, Setting setting) {
    return switch (setting.text().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new ParameterException(
              command.commandLine(),
              "%s: '%s' is not a value for %s; give true or false"
                  .formatted(setting.source(), setting.text(), option.longestName()));
    };
  }

  private static boolean isFlag(OptionSpec option) {
    return option.arity().max() == 0;
  }

  private static boolean isKept(OptionSpec option) {
    return option.longestName().startsWith(PREFIX) && !GIVEN_ONLY.contains(option.longestName());
  }

  /** Returns the options of a command that may have a default. */
  static List<OptionSpec> kept(CommandSpec command) {
    return command.options().stream().filter(OptionDefaults::isKept).toList();
  }

  static String name(OptionSpec option) {
    return option.longestName().substring(PREFIX.length());
  }

  static String variable(OptionSpec option) {
    return "FERRY_" + name(option).replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Returns the value of an option; null if nothing but its own default holds. */
  @Nullable Setting find(CommandSpec command, OptionSpec option) {
    // Help and the version are there also if the file is wrong.
    if (!isKept(option) || command.parent() == null || command.helpCommand()) {
      return null;
    }
    Map<String, Setting> lines = file(command).settings();
    String text = environment.getOrDefault(variable(option), "");
    if (!text.isEmpty()) {
      return new Setting(text, variable(option));
    }
    String name = name(option);
    Setting own = lines.get(command.name() + "." + name);
    return own == null ? lines.get(name) : own;
  }

  private ConfigFile file(CommandSpec command) {
    ConfigFile known = file;
    if (known == null) {
      try {
        known = ConfigFile.read(environment);
        requireKnown(known);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
      }
      file = known;
    }
    return known;
  }

  private void requireKnown(ConfigFile file) {
    if (file.settings().isEmpty()) {
      return;
    }
    Set<String> names = new LinkedHashSet<>();
    for (CommandLine command : program.get().getSubcommands().values()) {
      for (OptionSpec option : kept(command.getCommandSpec())) {
        names.add(name(option));
        names.add(command.getCommandName() + "." + name(option));
      }
    }
    file.settings()
        .forEach(
            (name, setting) -> {
              if (!names.contains(name)) {
                String option = name.substring(name.indexOf('.') + 1);
                throw new IllegalArgumentException(
                    GIVEN_ONLY.contains(PREFIX + option)
                        ? "%s: %s%s cannot be kept; give it with each command"
                            .formatted(setting.source(), PREFIX, option)
                        : "%s: '%s' is not an option; %s"
                            .formatted(setting.source(), name, KnownNames.of(names).hint(name)));
              }
            });
  }

  /** Returns the path of the file that is read; null if there is none. */
  @Nullable Path path() {
    return ConfigFile.path(environment);
  }
}
