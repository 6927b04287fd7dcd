package dev.ferry.bench;

import dev.ferry.cli.program.TerminalLine;
import dev.ferry.core.internal.PlainText;
import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.ShortReport;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.suite.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Reports the running row, the remaining time and the results so far on standard error: on a
 * terminal as a table and a progress bar below it, which are redrawn in place, otherwise as lines.
 * Used by one thread.
 */
final class BenchProgress implements RunListener, AutoCloseable {
  private static final int REDRAW_MILLIS = 500;
  private static final int BAR = 10;
  private static final int SECONDS_STEP = 10;
  private static final int MINUTE = 60;

  private final CommandSpec command;

  /** Null if there is no terminal. */
  private final @Nullable TerminalLine terminal;

  private @Nullable ProgressBar bar;
  private @Nullable RunDocument latest;

  private BenchProgress(CommandSpec command, @Nullable TerminalLine terminal) {
    this.command = command;
    this.terminal = terminal;
  }

  static BenchProgress open(CommandSpec command) {
    return new BenchProgress(command, TerminalLine.isTerminal() ? TerminalLine.open() : null);
  }

  @Override
  public void tooShort(Duration needed) {
    line(tooShortFor(needed));
  }

  /**
   * Says that a run has too few forks.
   *
   * @param needed how long enough rounds take
   */
  static String tooShortFor(Duration needed) {
    return "this run is too short for verdicts, which need three forks of each row: three rounds"
        + " take %s (--time %s)".formatted(about(needed), BenchOptions.HowLong.timeOf(needed));
  }

  @Override
  public void started(RowKey row, int round, int done, int total, Duration left) {
    String setting = row.parameters().isEmpty() ? "" : ", " + row.setting();
    show(row.table() + " " + row.method(), setting, round, done, total, left);
  }

  @Override
  public void ceilingsStarted(CeilingFork fork, int round, int done, int total, Duration left) {
    show("ceilings", fork.load() == null ? "" : " with " + fork.load(), round, done, total, left);
  }

  @Override
  public void ceilingsEnded(CeilingFork fork, int done, @Nullable String failure) {
    step(done);
    if (failure != null) {
      line("failed: " + failure);
    }
  }

  private void show(String what, String setting, int round, int done, int total, Duration left) {
    String text = "%s: %s, round %d".formatted(left(left), what, round + 1);
    if (terminal == null) {
      line("%d of %d, %s%s".formatted(done + 1, total, text, setting));
      return;
    }
    if (bar == null) {
      bar =
          terminal
              .bar()
              .setInitialMax(total)
              .setUpdateIntervalMillis(REDRAW_MILLIS)
              .continuousUpdate()
              .setRenderer(BenchProgress::render)
              .build();
    }
    // Rounds that do not fit the time are left out, and forks may be added.
    bar.maxHint(total);
    bar.setExtraMessage(text);
  }

  /** Draws, for instance, {@code [=== ] 18/62 1:20, about 6 min left: upload ZeroCopy}. */
  private static String render(ProgressState state, int columns) {
    int full = (int) Math.min(BAR, BAR * state.getCurrent() / Math.max(1, state.getMax()));
    long seconds = state.getElapsedAfterStart().toSeconds();
    String text =
        "[%s%s] %d/%d %d:%02d, %s"
            .formatted(
                "=".repeat(full),
                " ".repeat(BAR - full),
                state.getCurrent(),
                state.getMax(),
                seconds / MINUTE,
                seconds % MINUTE,
                state.getExtraMessage());
    return text.substring(0, Math.min(columns, text.length()));
  }

  @Override
  public void ended(RowKey row, int done, @Nullable String failure) {
    step(done);
    if (failure != null) {
      line("failed: " + row + ": " + failure);
    } else if (terminal != null && latest != null) {
      terminal.above(fitting(latest, row, terminal.room()));
    }
  }

  /** Returns as much as has room: all tables, that of a row alone, or its first lines. */
  private static List<String> fitting(RunDocument run, RowKey row, int room) {
    List<String> all = ShortReport.table(run, null);
    List<String> some = all.size() > room ? ShortReport.table(run, row) : all;
    return some.subList(0, Math.min(room, some.size())).stream().map(PlainText::of).toList();
  }

  @Override
  public void soFar(RunDocument run) {
    latest = run;
  }

  @Override
  public void groupEnded(Plan.Group group) {
    if (terminal == null && latest != null) {
      ShortReport.table(latest, group.rows().get(0)).stream()
          .filter(text -> !text.isEmpty())
          .forEach(this::line);
    }
  }

  private void step(int done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  private void line(String text) {
    String line = command.qualifiedName() + ": " + PlainText.of(text);
    if (terminal != null) {
      terminal.say(line);
      return;
    }
    PrintWriter err = command.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** Formats an estimate, which a run may exceed. */
  private static String left(Duration duration) {
    return duration.toSeconds() < 1
        ? "takes longer than planned"
        : about(Duration.ofSeconds(roundedUp(duration.toSeconds()))) + " left";
  }

  private static long roundedUp(long seconds) {
    return (seconds + SECONDS_STEP - 1) / SECONDS_STEP * SECONDS_STEP;
  }

  /** Formats a duration for display, for instance {@code about 6 min}. */
  static String about(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < 90 ? "about " + seconds + " s" : "about " + (seconds + 30) / 60 + " min";
  }

  @Override
  public void close() {
    if (bar != null) {
      TerminalLine.end(bar);
    }
  }
}
