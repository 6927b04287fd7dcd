package dev.ferry.cli.completion;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completions of a program for fish: a line for each command and each option. */
final class FishScript {
  private final StringBuilder script = new StringBuilder();
  private final String program;

  private FishScript(String program) {
    this.program = program;
  }

  /** Returns the script for a program with commands. */
  static String of(String program, CommandSpec ferry) {
    FishScript fish = new FishScript(program);
    fish.add(ferry, "");
    return fish.script.toString();
  }

  /**
   * Adds what may follow a command.
   *
   * @param seen the condition of fish under which the command is complete; empty for the program
   */
  private void add(CommandSpec command, String seen) {
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && !(option.inherited() && !seen.isEmpty())) {
        add(option, seen);
      }
    }
    Map<String, CommandSpec> visible = new LinkedHashMap<>();
    command.subcommands().forEach((name, child) -> visible.put(name, child.getCommandSpec()));
    visible.values().removeIf(child -> child.usageMessage().hidden());
    String none = "not __fish_seen_subcommand_from " + String.join(" ", visible.keySet());
    visible.forEach(
        (name, child) -> {
          String text = summary(child.usageMessage().description());
          line(and(seen, none), List.of("-f", "-a", quoted(name)), text);
          add(child, and(seen, "__fish_seen_subcommand_from " + name));
        });
  }

  private void add(OptionSpec option, String seen) {
    List<String> words = new ArrayList<>();
    for (String name : option.names()) {
      words.add(name.startsWith("--") ? "-l" : "-s");
      words.add(name.replaceFirst("^--?", ""));
    }
    if (option.arity().max() > 0) {
      if (option.completionCandidates() == null) {
        words.add("-r");
      } else {
        List<String> values = new ArrayList<>();
        option.completionCandidates().forEach(values::add);
        words.addAll(List.of("-x", "-a", quoted(String.join(" ", values))));
      }
    }
    line(seen, words, summary(option.description()));
  }

  private static String and(String seen, String more) {
    return seen.isEmpty() ? more : seen + "; and " + more;
  }

  private void line(String condition, List<String> words, String text) {
    script.append("complete -c ").append(program);
    if (!condition.isEmpty()) {
      script.append(" -n ").append(quoted(condition));
    }
    script.append(' ').append(String.join(" ", words));
    script.append(" -d ").append(quoted(text)).append('\n');
  }

  /** Returns the first sentence of a description, without its final full stop. */
  private static String summary(String[] description) {
    String text = description.length == 0 ? "" : description[0];
    int end = text.indexOf(". ");
    return (end < 0 ? text : text.substring(0, end)).replaceFirst("\\.$", "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
