package dev.ferry.cli;

import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/** Shows on standard error how far a transfer got. Updates may come on any thread. */
interface ProgressDisplay extends TransferOptions.Progress, AutoCloseable {
  /** A bar on a terminal, a line now and then elsewhere. */
  static ProgressDisplay open(CommandSpec command, String name) {
    String label = PlainText.oneLine(name);
    return isTerminal()
        ? new ProgressBarDisplay(label)
        : new ProgressLines(command.qualifiedName() + ": " + label, command.commandLine().getErr())
            .start();
  }

  /** Ends the display; safe to call twice. */
  @Override
  void close();

  /** Whether standard error is one, on which a line can be redrawn. */
  static boolean isTerminal() {
    Path stderr = Path.of("/proc/self/fd/2");
    if ("dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    if (!Files.isSymbolicLink(stderr)) {
      // Not Linux. JDK 22 and later have a console always, so that says nothing there.
      return false;
    }
    try {
      String target = Files.readSymbolicLink(stderr).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}
