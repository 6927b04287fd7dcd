package dev.ferry.cli.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A line on standard error that is redrawn in place and erased at the end, with further lines above
 * it if there are some. Thread-safe.
 *
 * <p>It replaces the terminal library that progress bars use by default, because that library
 * handles SIGINT and so prevents a clean shutdown.
 */
public final class TerminalLine implements ProgressBarConsumer {
  private static final int USUAL_COLUMNS = 80;
  private static final int USUAL_ROWS = 24;

  /** Truncates a line that exceeds the current terminal width, instead of wrapping it. */
  private static final String NO_WRAP = "\u001b[?7l";

  private static final String WRAP = "\u001b[?7h";
  private static final String ERASE_REST = "\u001b[K";
  private static final String ERASE_BELOW = "\u001b[J";
  private static final String LINES_UP = "\u001b[%dA";

  private final PrintStream terminal;
  private @Nullable Size size;
  private List<String> above = List.of();

  /** How many lines above the cursor are drawn. */
  private int drawn;

  /** The size of a terminal in characters. */
  record Size(int rows, int columns) {}

  /**
   * @param size null to ask the terminal when it is needed: that takes two other programs
   */
  TerminalLine(PrintStream terminal, @Nullable Size size) {
    this.terminal = terminal;
    this.size = size;
  }

  /** Returns a line on standard error, which is not drawn yet. */
  public static TerminalLine open() {
    return new TerminalLine(System.err, null);
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

  /** A builder of progress bars on this line. */
  public ProgressBarBuilder bar() {
    return new ProgressBarBuilder()
        .setStyle(ProgressBarStyle.ASCII)
        .clearDisplayOnFinish()
        .setConsumer(this);
  }

  /** Returns how many lines have room above this one. */
  public int room() {
    // The line itself, and the one on which the command was typed.
    return Math.max(0, size().rows() - 2);
  }

  /**
   * Shows lines above this one when it is drawn again, in place of those that were there.
   *
   * @param lines at most {@link #room} of them; longer ones than the terminal is wide are cut
   */
  public synchronized void above(List<String> lines) {
    above = List.copyOf(lines);
  }

  /** Prints a line that stays, in place of all that is redrawn. */
  public synchronized void say(String line) {
    clear();
    terminal.println(line);
    terminal.flush();
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

  private synchronized Size size() {
    if (size == null) {
      size = sizeOfTerminal();
    }
    return size;
  }

  /** The size of the terminal of standard error, or a default if it is unknown. */
  private static Size sizeOfTerminal() {
    try {
      Process stty =
          new ProcessBuilder("sh", "-c", "stty size <&2 2>/dev/null")
              .redirectError(Redirect.INHERIT)
              .start();
      stty.getOutputStream().close();
      try (InputStream output = stty.getInputStream()) {
        return size(new String(output.readAllBytes(), StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // There is no shell.
      return size("");
    }
  }

  /** Parses the output of {@code stty size}: rows and columns. */
  static Size size(String rowsAndColumns) {
    Scanner numbers = new Scanner(rowsAndColumns);
    if (numbers.hasNextInt()) {
      int rows = numbers.nextInt();
      if (rows >= 0 && numbers.hasNextInt()) {
        int columns = numbers.nextInt();
        // A terminal of unknown size reports 0.
        return new Size(rows > 1 ? rows : USUAL_ROWS, columns > 1 ? columns : USUAL_COLUMNS);
      }
    }
    return new Size(USUAL_ROWS, USUAL_COLUMNS);
  }

  @Override
  public int getMaxRenderedLength() {
    return size().columns() - 1;
  }

  @Override
  public synchronized void accept(String text) {
    StringBuilder lines = new StringBuilder();
    above.forEach(line -> lines.append(line).append(ERASE_REST).append('\n'));
    // Fewer lines than before leave some below.
    String erase = drawn > above.size() ? ERASE_BELOW : ERASE_REST;
    terminal.print(start() + NO_WRAP + lines + text + erase + WRAP);
    terminal.flush();
    drawn = above.size();
  }

  /** Returns what brings the cursor to the first character of all that is drawn. */
  private String start() {
    return drawn == 0 ? "\r" : "\r" + LINES_UP.formatted(drawn);
  }

  @Override
  public synchronized void clear() {
    terminal.print(start() + (drawn == 0 ? ERASE_REST : ERASE_BELOW));
    terminal.flush();
    drawn = 0;
  }

  @Override
  public void close() {
    terminal.flush();
  }
}
