package dev.ferry.cli.completion;

import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the script by which a shell completes the commands and options of Ferry. */
@Command(
    name = "completion",
    description = "Prints a script by which a shell completes commands and options.")
public final class CompletionCommand implements Runnable {
  private static final String PROGRAM = "ferry";

  /** A shell, as people name it. */
  private enum Shell {
    BASH,
    ZSH,
    FISH;

    /** The word on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "The shell: ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Override
  public void run() {
    CommandLine ferry = spec.parent().commandLine();
    String script =
        switch (shell) {
          case BASH -> AutoComplete.bash(PROGRAM, ferry);
          case ZSH -> zsh(AutoComplete.bash(PROGRAM, ferry));
          case FISH -> FishScript.of(PROGRAM, ferry.getCommandSpec());
        };
    spec.commandLine().getOut().print(script);
    spec.commandLine().getOut().flush();
  }

  /**
   * Makes a file of zsh's function path from a script for bash. zsh runs it for the first
   * completion, which the last line does. The script has registered its function for the others.
   */
  private static String zsh(String bash) {
    // picocli replaces compopt by an alias, which zsh does not expand in a file that it has read.
    return "#compdef ferry\nfunction compopt { :; }\n"
        + bash
        + "\n_bash_complete -o default -F _complete_ferry\n";
  }
}
