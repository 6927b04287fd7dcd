package dev.ferry.cli.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Renders the help of commands. picocli breaks words at a colon, so that an address is in two
 * lines, and has one list for all options: here they are in {@link OptionGroup}s.
 */
final class HelpText {
  private static final int WIDTH = 80;

  /** The column of descriptions. Longer names have a line of their own. */
  private static final int DESCRIPTION = 26;

  private final StringBuilder text = new StringBuilder();
  private final Help help;

  private HelpText(Help help) {
    this.help = help;
  }

  /** Has a program and its commands render their help so. Call this after commands were added. */
  static void applyTo(CommandLine line) {
    Map<String, IHelpSectionRenderer> sections = new HashMap<>(line.getHelpSectionMap());
    sections.put(
        UsageMessageSpec.SECTION_KEY_DESCRIPTION,
        help -> new HelpText(help).paragraphs(help.commandSpec().usageMessage().description()));
    sections.put(
        UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, help -> new HelpText(help).parameters());
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> new HelpText(help).options());
    sections.put(
        UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING,
        help -> String.format("%nExit codes: ferry help exit-codes%n"));
    sections.put(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST, help -> "");
    sections.put(
        UsageMessageSpec.SECTION_KEY_FOOTER,
        help -> new HelpText(help).footer(help.commandSpec().usageMessage().footer()));
    line.setHelpSectionMap(sections);
    abbreviate(line.getCommandSpec());
  }

  private static void abbreviate(CommandSpec command) {
    command.usageMessage().abbreviateSynopsis(true).commandListHeading("%nCommands:%n");
    command.subcommands().values().forEach(child -> abbreviate(child.getCommandSpec()));
  }

  private String paragraphs(String[] formats) {
    for (String paragraph : HelpModel.text(formats)) {
      wrapped(paragraph, 0, 0);
    }
    return text.toString();
  }

  /** Examples are not wrapped: they are commands to copy. */
  private String footer(String[] formats) {
    for (String line : HelpModel.text(formats)) {
      if (line.startsWith(" ")) {
        text.append(line).append(System.lineSeparator());
      } else {
        wrapped(line, 0, 0);
      }
    }
    return text.toString();
  }

  private String parameters() {
    if (help.commandSpec().positionalParameters().stream().anyMatch(one -> !one.hidden())) {
      text.append(System.lineSeparator());
    }
    for (PositionalParamSpec parameter : help.commandSpec().positionalParameters()) {
      if (!parameter.hidden()) {
        Text label =
            help.parameterLabelRenderer().renderParameterLabel(parameter, ansi(), List.of());
        item("  " + label, label.plainString().length() + 2, parameter.description());
      }
    }
    return text.toString();
  }

  private String options() {
    Map<OptionGroup, List<OptionSpec>> groups = OptionGroup.of(help.commandSpec());
    boolean plain = groups.size() == 1;
    groups.forEach(
        (group, options) -> {
          text.append(String.format("%n%s:%n", plain ? "Options" : group.heading()));
          options.forEach(this::option);
        });
    return text.toString();
  }

  private void option(OptionSpec option) {
    List<String> names = new ArrayList<>();
    StringBuilder shown = new StringBuilder();
    for (String name : option.names()) {
      shown.append(shown.length() == 0 ? "" : ", ").append(help.colorScheme().optionText(name));
      names.add(name);
    }
    Text label = help.parameterLabelRenderer().renderParameterLabel(option, ansi(), List.of());
    boolean isLong = option.names()[0].startsWith("--");
    String indent = isLong ? "      " : "  ";
    item(
        indent + shown + label,
        indent.length() + String.join(", ", names).length() + label.plainString().length(),
        option.description());
  }

  private Help.Ansi ansi() {
    return help.ansi();
  }

  private void item(String names, int length, String[] description) {
    text.append(names);
    int column = length;
    if (length > DESCRIPTION - 2) {
      text.append(System.lineSeparator());
      column = 0;
    }
    for (String line : description) {
      text.append(" ".repeat(DESCRIPTION - column));
      wrapped(line, DESCRIPTION, DESCRIPTION);
      column = 0;
    }
  }

  /**
   * Adds words, which are never broken.
   *
   * @param begin the column that the line has
   * @param indent the first column of further lines
   */
  private void wrapped(String words, int begin, int indent) {
    int column = begin;
    for (String word : words.split(" ")) {
      if (column > indent && column + 1 + word.length() > WIDTH) {
        text.append(System.lineSeparator()).append(" ".repeat(indent));
        column = indent;
      } else if (column > indent) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    text.append(System.lineSeparator());
  }
}
