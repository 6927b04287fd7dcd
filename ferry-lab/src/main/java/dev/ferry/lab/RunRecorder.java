package dev.ferry.lab;

import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.HtmlReport;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.RunFolder;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.suite.RunPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of a run after every fork, so that a killed run is still readable, and passes
 * its progress on. Used by one thread.
 */
final class RunRecorder implements RunListener {
  private final RunFolder folder;
  private final Supplier<RunDocument> document;
  private final RunListener listener;
  private @Nullable Consumer<Path> viewer;
  private final boolean viewed;
  private @Nullable RunDocument latest;

  /**
   * Creates a recorder.
   *
   * @param document returns the run with the results so far
   * @param request says what to do besides
   * @param listener receives the progress
   */
  RunRecorder(
      RunFolder folder,
      Supplier<RunDocument> document,
      BenchRequest request,
      RunListener listener) {
    this.folder = folder;
    this.document = document;
    this.viewer = request.viewer();
    this.viewed = viewer != null;
    this.listener = listener;
  }

  @Override
  public void tooShort(Duration needed) {
    listener.tooShort(needed);
  }

  @Override
  public boolean takesLonger(Duration needed) {
    return listener.takesLonger(needed);
  }

  @Override
  public void started(RowFork fork, int round, int done, int total, Duration left) {
    listener.started(fork, round, done, total, left);
  }

  @Override
  public void ended(RowFork fork, int done, @Nullable String failure) throws IOException {
    listener.soFar(write());
    listener.ended(fork, done, failure);
  }

  @Override
  public void groupEnded(RunPlan.Group group) {
    listener.groupEnded(group);
  }

  /**
   * Ends the record of a run that failed: its reports have what was measured.
   *
   * @param cause gets what goes wrong here as well
   */
  void fail(Exception cause) {
    RunDocument run = latest;
    if (run != null) {
      try {
        Bench.writeReports(folder, run);
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Returns what was written. */
  private RunDocument write() throws IOException {
    RunDocument run = document.get();
    latest = run;
    RunJson.write(folder.json(), run);
    if (viewed) {
      Path page = folder.page();
      RunJson.replace(page, HtmlReport.render(run, true));
      if (viewer != null) {
        viewer.accept(page);
        viewer = null;
      }
    }
    return run;
  }
}
