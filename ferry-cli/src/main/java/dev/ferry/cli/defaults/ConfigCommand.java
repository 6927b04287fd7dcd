package dev.ferry.cli.defaults;

import dev.ferry.cli.program.HelpCommand;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows which defaults of options hold, and where they come from. */
@Command(
    name = "config",
    description = "Shows the options that are set by variables or a file, or those of a command.",
    footer = {
      "",
      "An option that is not on the command line has the value of its variable, such as"
          + " FERRY_CHUNK_SIZE for --chunk-size, then of its line in the file, such as chunk-size ="
          + " 256K, or put.chunk-size = 256K only for put. The file is ~/.config/ferry/config,"
          + " below XDG_CONFIG_HOME if that is set, or what FERRY_CONFIG names."
    })
public final class ConfigCommand implements Runnable {
  private final OptionDefaults defaults;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      description = "Show all options of this command (default: what is set).")
  private @Nullable String name;

  /**
   * @param defaults what is shown
   */
  public ConfigCommand(OptionDefaults defaults) {
    this.defaults = defaults;
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    CommandLine ferry = spec.parent().commandLine();
    if (name == null) {
      Path path = defaults.path();
      out.println("# file: " + (path == null ? "none" : path));
      ferry.getSubcommands().values().forEach(c -> show(c.getCommandSpec(), false, out));
    } else {
      show(HelpCommand.command(ferry, name).getCommandSpec(), true, out);
    }
  }

  private void show(CommandSpec command, boolean all, PrintWriter out) {
    for (OptionSpec option : OptionDefaults.kept(command)) {
      if (option.hidden()) {
        continue;
      }
      Setting setting = defaults.find(command, option);
      String named = command.name() + "." + OptionDefaults.name(option);
      if (setting != null) {
        out.printf("%s = %s  # %s%n", named, setting.text(), setting.source());
      } else if (all) {
        out.printf("# %s  # or %s%n", named, OptionDefaults.variable(option));
      }
    }
  }
}
