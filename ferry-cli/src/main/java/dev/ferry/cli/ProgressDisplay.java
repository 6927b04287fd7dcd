package dev.ferry.cli;

import dev.ferry.cli.program.PlainText;
import dev.ferry.cli.program.TerminalLine;
import dev.ferry.core.TransferOptions;
import picocli.CommandLine.Model.CommandSpec;

/** Shows on standard error how far a transfer got. Updates may come on any thread. */
interface ProgressDisplay extends TransferOptions.Progress, AutoCloseable {
  /** A bar on a terminal, a line now and then elsewhere. */
  static ProgressDisplay open(CommandSpec command, String name) {
    String label = PlainText.oneLine(name);
    return TerminalLine.isTerminal()
        ? new ProgressBarDisplay(label)
        : new ProgressLines(command.qualifiedName() + ": " + label, command.commandLine().getErr())
            .start();
  }

  /** Ends the display; safe to call twice. */
  @Override
  void close();
}
