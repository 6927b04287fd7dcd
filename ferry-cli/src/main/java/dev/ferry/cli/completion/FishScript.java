package dev.ferry.cli.completion;

import dev.ferry.cli.program.HelpModel;
import java.util.ArrayList;
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
    Map<String, CommandSpec> visible = HelpModel.commands(command);
    String none = "not __fish_seen_subcommand_from " + String.join(" ", visible.keySet());
    visible.forEach(
        (name, child) -> {
          String text = HelpModel.summary(HelpModel.text(child.usageMessage().description()));
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
    line(seen, words, HelpModel.summary(List.of(option.description())));
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

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
