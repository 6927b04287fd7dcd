package dev.ferry.cli.progress;

import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.PlainText;
import picocli.CommandLine.Model.CommandSpec;

/** Shows the progress of a transfer on standard error. Updates may come from any thread. */
public interface ProgressDisplay extends TransferOptions.Progress, AutoCloseable {
  /** Shows a line on a terminal that is redrawn, otherwise a new one every few seconds. */
  static ProgressDisplay open(CommandSpec command, String name) {
    return new FileProgress(ProgressLine.open(command, name), PlainText.of(name));
  }

  /** Shows nothing, and keeps count. */
  static ProgressDisplay none() {
    return TreeProgress.none().begin("");
  }

  /** Bytes that were transferred so far. */
  long done();

  /** How much of the file was transferred, such as {@code 41 %}; empty if that is not known. */
  String percent();

  /** Prints a line. */
  void note(String line);

  /** Ends the display; idempotent. */
  @Override
  void close();

  /** For instance {@code 41 %}; empty if the total is not known. */
  static String percent(long done, long total) {
    return total > 0 ? (long) (100.0 * (double) done / (double) total) + " %" : "";
  }
}
