package dev.ferry.cli.program;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** What {@code --help} shows of picocli's models, for other texts that have to agree with it. */
public final class HelpModel {
  private HelpModel() {}

  /** Returns the commands below a command that are not hidden, by their names. */
  public static Map<String, CommandSpec> commands(CommandSpec command) {
    Map<String, CommandSpec> visible = new LinkedHashMap<>();
    command.subcommands().forEach((name, child) -> visible.put(name, child.getCommandSpec()));
    visible.values().removeIf(child -> child.usageMessage().hidden());
    return visible;
  }

  /**
   * Returns the description or the footer of a command as it is shown. In picocli it is a format,
   * with {@code %%} for %, which the description of an option is no more.
   */
  public static List<String> text(String[] formats) {
    return Stream.of(formats).map(String::format).toList();
  }

  /** Returns the first sentence of a description, without its final full stop. */
  public static String summary(List<String> description) {
    String text = description.isEmpty() ? "" : description.get(0);
    int end = text.indexOf(". ");
    return (end < 0 ? text : text.substring(0, end)).replaceFirst("\\.$", "");
  }
}
