package dev.ferry.cli.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A line on standard error that is redrawn in place and erased at the end.
 *
 * <p>It replaces the terminal library that progress bars use by default, because that library
 * handles SIGINT and so prevents a clean shutdown.
 */
public final class TerminalLine implements ProgressBarConsumer {
  private static final int USUAL_COLUMNS = 80;

  /** Truncates a line that exceeds the current terminal width, instead of wrapping it. */
  private static final String NO_WRAP = "\u001b[?7l";

  private static final String WRAP = "\u001b[?7h";
  private static final String ERASE_REST = "\u001b[K";

  private final PrintStream terminal;
  private final int columns;

  TerminalLine(PrintStream terminal, int columns) {
    this.terminal = terminal;
    this.columns = columns;
  }

  /** Whether standard error is a terminal on which a line can be redrawn. */
  public static boolean isTerminal() {
    return !isDumb() && isTerminal(2);
  }

  /** Whether terminals are said to know no escape sequences. */
  static boolean isDumb() {
    return "dumb".equals(System.getenv("TERM"));
  }

  /** Whether standard output is a terminal. */
  public static boolean isOutputTerminal() {
    return isTerminal(1);
  }

  /** Whether a descriptor of this process is a terminal. */
  static boolean isTerminal(int descriptor) {
    Path file = Path.of("/proc/self/fd/" + descriptor);
    if (!Files.isSymbolicLink(file)) {
      // Not Linux. System.console() does not help: from JDK 22 on it is never null.
      return false;
    }
    try {
      String target = Files.readSymbolicLink(file).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      // It is closed.
      return false;
    }
  }

  /** A builder of progress bars on standard error. */
  public static ProgressBarBuilder progressBar() {
    return new ProgressBarBuilder()
        .setStyle(ProgressBarStyle.ASCII)
        .clearDisplayOnFinish()
        .setConsumer(new TerminalLine(System.err, columns()));
  }

  /** Prints a line in place of a bar, which is redrawn below. */
  public static void print(String line) {
    System.err.println("\r" + line + ERASE_REST);
    System.err.flush();
  }

  /**
   * Ends a bar and waits until it is erased, even if the thread is interrupted. Keeps the interrupt
   * status.
   */
  public static void end(ProgressBar bar) {
    boolean interrupted = Thread.interrupted();
    try {
      bar.close();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The terminal width of standard error, or a default if it is unknown. */
  private static int columns() {
    try {
      Process stty =
          new ProcessBuilder("sh", "-c", "stty size <&2 2>/dev/null")
              .redirectError(Redirect.INHERIT)
              .start();
      stty.getOutputStream().close();
      try (InputStream output = stty.getInputStream()) {
        return columns(new String(output.readAllBytes(), StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // There is no shell.
      return USUAL_COLUMNS;
    }
  }

  /** Parses the output of {@code stty size}: rows and columns. */
  static int columns(String rowsAndColumns) {
    Scanner numbers = new Scanner(rowsAndColumns);
    if (numbers.hasNextInt() && numbers.nextInt() >= 0 && numbers.hasNextInt()) {
      int columns = numbers.nextInt();
      // A terminal of unknown size reports 0.
      return columns > 1 ? columns : USUAL_COLUMNS;
    }
    return USUAL_COLUMNS;
  }

  @Override
  public int getMaxRenderedLength() {
    return columns - 1;
  }

  @Override
  public void accept(String text) {
    terminal.print("\r" + NO_WRAP + text + ERASE_REST + WRAP);
    terminal.flush();
  }

  @Override
  public void clear() {
    terminal.print("\r" + ERASE_REST);
    terminal.flush();
  }

  @Override
  public void close() {
    terminal.flush();
  }
}
