package dev.ferry.bench;

import dev.ferry.cli.program.Question;
import dev.ferry.cli.program.TerminalLine;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Printable;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.ShortReport;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.suite.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

  /** How long a question waits for its answer. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final CommandSpec command;
  private final Cancellation cancellation;

  /** Null if there is no terminal. */
  private final @Nullable TerminalLine terminal;

  private @Nullable ProgressBar bar;
  private @Nullable RunDocument latest;

  private BenchProgress(
      CommandSpec command, Cancellation cancellation, @Nullable TerminalLine terminal) {
    this.command = command;
    this.cancellation = cancellation;
    this.terminal = terminal;
  }

  static BenchProgress open(CommandSpec command, Cancellation cancellation) {
    return new BenchProgress(
        command, cancellation, TerminalLine.isTerminal() ? TerminalLine.open() : null);
  }

  @Override
  public void tooShort(Duration needed) {
    line(tooShortFor(needed));
  }

  @Override
  public boolean takesLonger(Duration needed) {
    if (terminal == null || !Question.isPossible()) {
      return false;
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    try {
      return Question.yes(
          "Let it take %s?".formatted(about(needed)),
          command.commandLine().getErr(),
          () -> cancellation.isCancelled() || System.nanoTime() > end);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Says that a run has too few forks.
   *
   * @param needed how long enough rounds take
   */
  static String tooShortFor(Duration needed) {
    return "this run is too short for verdicts, which need three forks of each row: --time %dm"
            .formatted(Profile.minutes(needed))
        + " has them";
  }

  @Override
  public void started(RowFork fork, int round, int done, int total, Duration left) {
    RowKey row = fork.first();
    if (fork.isCeiling()) {
      Load load = row.ceilingLoad();
      show("ceilings", load == null ? "" : " with " + load, round, done, total, left);
    } else {
      String tables = fork.keys().stream().map(RowKey::table).collect(Collectors.joining(", "));
      String setting = row.parameters().isEmpty() ? "" : ", " + row.setting();
      show(tables + " " + row.method(), setting, round, done, total, left);
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
  public void ended(RowFork fork, int done, @Nullable String failure) {
    step(done);
    if (failure != null) {
      line("failed: " + fork.title() + ": " + failure);
    } else if (terminal != null && latest != null && !fork.isCeiling()) {
      terminal.above(fitting(latest, fork.first(), terminal.room()));
    }
  }

  /** Returns as much as has room: all tables, that of a row alone, or its first lines. */
  private static List<String> fitting(RunDocument run, RowKey row, int room) {
    List<String> all = ShortReport.table(run, null);
    List<String> some = all.size() > room ? ShortReport.table(run, row) : all;
    return some.subList(0, Math.min(room, some.size())).stream().map(Printable::of).toList();
  }

  @Override
  public void soFar(RunDocument run) {
    latest = run;
  }

  @Override
  public void groupEnded(RunPlan.Group group) {
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
    if (terminal != null) {
      terminal.say(command.qualifiedName() + ": " + Printable.of(text));
    } else {
      LabErrors.say(command, Printable.of(text));
    }
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
