package dev.ferry.bench;

import dev.ferry.cli.program.TerminalLine;
import dev.ferry.core.internal.PlainText;
import dev.ferry.lab.model.ForkTask;
import dev.ferry.lab.run.RunListener;
import java.io.PrintWriter;
import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Reports the running row and the remaining time on standard error: as a progress bar on a
 * terminal, otherwise as one line per row. Used by one thread.
 */
final class BenchProgress implements RunListener, AutoCloseable {
  private static final int REDRAW_MILLIS = 500;

  private final CommandSpec command;
  private final boolean terminal;
  private @Nullable ProgressBar bar;

  private BenchProgress(CommandSpec command, boolean terminal) {
    this.command = command;
    this.terminal = terminal;
  }

  static BenchProgress open(CommandSpec command) {
    return new BenchProgress(command, TerminalLine.isTerminal());
  }

  @Override
  public boolean tooShort(Duration needed) {
    line(tooShortFor(needed));
    return false;
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
  public void started(ForkTask fork, int round, int done, int total, Duration left) {
    show(fork.title(), round, done, total, left);
  }

  private void show(String name, int round, int done, int total, Duration left) {
    String what = name + ", round " + (round + 1);
    if (!terminal) {
      line("%d of %d, %s left: %s".formatted(done + 1, total, about(left), what));
      return;
    }
    if (bar == null) {
      bar =
          TerminalLine.progressBar()
              .setTaskName("bench")
              .setInitialMax(total)
              .setUpdateIntervalMillis(REDRAW_MILLIS)
              .hideEta()
              .build();
    }
    bar.setExtraMessage(" " + about(left) + " left: " + what);
  }

  @Override
  public void ended(ForkTask fork, int done, @Nullable String failure) {
    step(done);
    if (failure != null) {
      line("failed: " + fork.title() + ": " + failure);
    }
  }

  @Override
  public void soFar(String text) {
    line(text);
  }

  private void step(int done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  private void line(String text) {
    PrintWriter err = command.commandLine().getErr();
    err.println(command.qualifiedName() + ": " + PlainText.of(text));
    err.flush();
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
