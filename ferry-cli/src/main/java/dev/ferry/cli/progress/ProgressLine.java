package dev.ferry.cli.progress;

import dev.ferry.cli.program.TerminalLine;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.core.internal.PlainText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where progress is shown: a line of a terminal that is redrawn and erased at the end, or else a
 * new line every few seconds. Thread-safe.
 */
final class ProgressLine implements AutoCloseable {
  private static final Duration REDRAWN = Duration.ofMillis(200);
  private static final Duration PRINTED = Duration.ofSeconds(5);

  private final @Nullable TerminalLine terminal;
  private final PrintWriter err;
  private final String label;
  private final Duration period;
  private @Nullable ScheduledExecutorService timer;
  private boolean drawn;
  private boolean closed;

  /** Makes the text of a line. */
  @FunctionalInterface
  interface Text {
    /**
     * Returns how far the transfer is; empty if nothing is known.
     *
     * @param columns characters that there is room for
     */
    String of(int columns);
  }

  /**
   * @param terminal null if standard error is none
   * @param label what lines begin with that are not redrawn
   * @param period between two lines
   */
  ProgressLine(@Nullable TerminalLine terminal, PrintWriter err, String label, Duration period) {
    this.terminal = terminal;
    this.err = err;
    this.label = label;
    this.period = period;
  }

  /** Opens the line of a command. */
  static ProgressLine open(CommandSpec command, String name) {
    boolean redraws = TerminalLine.isTerminal();
    return new ProgressLine(
        redraws ? TerminalLine.open() : null,
        command.commandLine().getErr(),
        command.qualifiedName() + ": " + PlainText.of(name),
        redraws ? REDRAWN : PRINTED);
  }

  /** Shows a text from now on. The first call counts, when there is something to show. */
  synchronized void show(Text text) {
    if (timer != null || closed) {
      return;
    }
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("ferry-progress"));
    timer = started;
    long millis = period.toMillis();
    started.scheduleAtFixedRate(() -> draw(text), millis, millis, TimeUnit.MILLISECONDS);
  }

  synchronized void draw(Text text) {
    if (closed) {
      return;
    }
    if (terminal != null) {
      terminal.accept(text.of(terminal.getMaxRenderedLength()));
      drawn = true;
      return;
    }
    String line = text.of(Integer.MAX_VALUE);
    if (!line.isEmpty()) {
      err.println(label + " " + line);
      err.flush();
    }
  }

  /** Whether lines are redrawn, and so have no label. */
  boolean isRedrawn() {
    return terminal != null;
  }

  /** Prints a line that stays. */
  synchronized void note(String line) {
    if (terminal != null) {
      terminal.say(line);
    } else {
      err.println(line);
      err.flush();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.shutdownNow();
    }
    if (terminal != null && drawn) {
      terminal.clear();
      drawn = false;
    }
  }
}
