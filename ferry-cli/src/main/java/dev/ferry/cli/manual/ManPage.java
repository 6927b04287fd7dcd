package dev.ferry.cli.manual;

import dev.ferry.cli.program.HelpModel;
import dev.ferry.core.FerryVersion;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes the manual page of a command in roff with the macros of man(7). Its texts are those of
 * {@code --help}. It has no date, so two builds of one version are equal.
 */
final class ManPage {
  /** More columns than any synopsis has, so that picocli does not wrap it. */
  private static final int WIDE = 10_000;

  private static final String EXAMPLES = "Examples:";

  /** An option, or another word of a synopsis. */
  private static final Pattern WORD = Pattern.compile("(-[-\\w]+)|\\w+");

  private final StringBuilder page = new StringBuilder();
  private final CommandSpec command;
  private final Help help;

  private ManPage(CommandSpec command) {
    this.command = command;
    command.usageMessage().width(WIDE);
    help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
  }

  /** Returns the name of the page of a command, such as {@code ferry-token-add}. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /** Returns the page of a command. Its model is wide afterwards: its help is not wrapped. */
  static String of(CommandSpec command) {
    ManPage page = new ManPage(command);
    page.write();
    return page.page.toString();
  }

  private void write() {
    line(".TH \"" + title() + "\" 1 \"\" \"Ferry " + version() + "\" \"Ferry Manual\"");
    line(".nh"); // no hyphenation: it would change names
    line(".ad l");
    section("NAME");
    List<String> description = HelpModel.text(command.usageMessage().description());
    String summary = HelpModel.summary(description);
    line(escaped(name(command)) + " \\- " + escaped(lowerCase(summary)));
    section("SYNOPSIS");
    String qualified = command.qualifiedName();
    String arguments = help.synopsis(0).strip().substring(qualified.length());
    line("\\fB" + escaped(qualified) + "\\fR" + styled(arguments));
    section("DESCRIPTION");
    paragraphs(description);
    arguments("ARGUMENTS", command.positionalParameters());
    arguments("OPTIONS", command.options());
    commands(HelpModel.commands(command));
    exitCodes(command.usageMessage().exitCodeList());
    List<String> footer = HelpModel.text(command.usageMessage().footer());
    if (!footer.isEmpty()) {
      boolean examples = footer.contains(EXAMPLES);
      section(examples ? "EXAMPLES" : "NOTES");
      paragraphs(footer.stream().filter(line -> !line.equals(EXAMPLES)).toList());
    }
    if (command.parent() != null) {
      section("SEE ALSO");
      line(reference(command.parent()));
    }
  }

  private String title() {
    return escaped(name(command).toUpperCase(Locale.ROOT));
  }

  private static String version() {
    return escaped(FerryVersion.current().version());
  }

  private void arguments(String heading, Collection<? extends ArgSpec> all) {
    List<? extends ArgSpec> shown = all.stream().filter(argument -> !argument.hidden()).toList();
    if (!shown.isEmpty()) {
      section(heading);
    }
    for (ArgSpec argument : shown) {
      String label =
          help.parameterLabelRenderer()
              .renderParameterLabel(argument, Ansi.OFF, List.of())
              .toString();
      String names = argument instanceof OptionSpec option ? String.join(", ", option.names()) : "";
      item(styled(names + label), List.of(argument.description()));
    }
  }

  private void commands(Map<String, CommandSpec> children) {
    if (!children.isEmpty()) {
      section("COMMANDS");
    }
    for (CommandSpec child : children.values()) {
      List<String> description = HelpModel.text(child.usageMessage().description());
      item(reference(child), description.stream().limit(1).toList());
    }
  }

  private void exitCodes(Map<String, String> codes) {
    if (!codes.isEmpty()) {
      section("EXIT STATUS");
    }
    codes.forEach((code, meaning) -> item(styled(code), List.of(meaning)));
  }

  private static String reference(CommandSpec command) {
    return "\\fB" + escaped(name(command)) + "\\fR(1)";
  }

  private void section(String heading) {
    line(".SH " + heading);
  }

  /** Adds paragraphs. An empty one is an empty line of the help. */
  private void paragraphs(List<String> texts) {
    line(
        texts.stream()
            .filter(text -> !text.isEmpty())
            .map(ManPage::escaped)
            .collect(Collectors.joining("\n.PP\n")));
  }

  /** Adds a tag, which is roff already, and the text beside it. */
  private void item(String tag, List<String> texts) {
    line(".TP");
    line(tag);
    line(texts.stream().map(ManPage::escaped).collect(Collectors.joining("\n.br\n")));
  }

  private void line(String roff) {
    page.append(roff).append('\n');
  }

  /** Shows options in bold, and words for which the user gives a value in italics. */
  private static String styled(String text) {
    return WORD.matcher(text)
        .replaceAll(
            word ->
                Matcher.quoteReplacement(
                    (word.group(1) == null ? "\\fI" : "\\fB") + escaped(word.group()) + "\\fR"));
  }

  private static String lowerCase(String summary) {
    return summary.isEmpty()
        ? ""
        : summary.substring(0, 1).toLowerCase(Locale.ROOT) + summary.substring(1);
  }

  /** Returns text that roff shows as it is: without typographic quotes, and no request. */
  private static String escaped(String text) {
    String shown =
        text.strip()
            .replace("\\", "\\(rs")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("`", "\\(ga")
            .replace("^", "\\(ha")
            .replace("~", "\\(ti");
    return shown.startsWith(".") ? "\\&" + shown : shown;
  }
}
