package dev.ferry.cli.program;

import dev.ferry.core.internal.KnownNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of a command. picocli's own help command does not suggest the nearest name. */
@Command(
    name = "help",
    helpCommand = true,
    description = {
      "Shows the help of a command, as its --help does.",
      "'ferry help exit-codes' lists the exit codes of all commands."
    })
public final class HelpCommand implements Runnable {
  /** What other programs call the commands. */
  private static final Map<String, List<String>> MEANINGS =
      Map.ofEntries(
          Map.entry("copy", List.of("get", "put", "cp")),
          Map.entry("download", List.of("get")),
          Map.entry("fetch", List.of("get")),
          Map.entry("pull", List.of("get")),
          Map.entry("upload", List.of("put")),
          Map.entry("send", List.of("put")),
          Map.entry("push", List.of("put")),
          Map.entry("list", List.of("ls")),
          Map.entry("dir", List.of("ls")),
          Map.entry("delete", List.of("rm")),
          Map.entry("del", List.of("rm")),
          Map.entry("move", List.of("mv")),
          Map.entry("rename", List.of("mv")),
          Map.entry("diff", List.of("check")),
          Map.entry("compare", List.of("check")),
          Map.entry("mirror", List.of("sync")),
          Map.entry("rsync", List.of("sync")),
          Map.entry("server", List.of("serve")));

  private static final String EXIT_CODES = "exit-codes";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      description = "The command (default: lists all commands).")
  private @Nullable String name;

  @Override
  public void run() {
    CommandLine ferry = spec.parent().commandLine();
    if (EXIT_CODES.equals(name)) {
      spec.commandLine().getOut().print(new Help(spec.parent()).exitCodeList());
      return;
    }
    CommandLine shown = name == null ? ferry : command(ferry, name);
    shown.usage(spec.commandLine().getOut());
  }

  /**
   * Returns a command of a program.
   *
   * @throws ParameterException if there is none of this name
   */
  public static CommandLine command(CommandLine ferry, String typed) {
    Map<String, CommandLine> commands = ferry.getSubcommands();
    return KnownNames.of(commands.keySet())
        .find(typed)
        .map(commands::get)
        .orElseThrow(() -> new ParameterException(ferry, unknown(ferry, typed)));
  }

  /** Returns the message for an unknown command. It suggests no hidden one. */
  static String unknown(CommandLine ferry, String typed) {
    KnownNames names = KnownNames.of(HelpModel.commands(ferry.getCommandSpec()).keySet());
    List<String> meant = MEANINGS.getOrDefault(typed.toLowerCase(Locale.ROOT), List.of());
    String hint =
        meant.isEmpty() || !names.all().containsAll(meant)
            ? names.hint(typed)
            : "did you mean '" + String.join("' or '", meant) + "'?";
    return "unknown command '" + typed + "'; " + hint;
  }
}
