package dev.ferry.lab;

import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.HtmlReport;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of a run after every fork, so that a killed run is still readable. Used by one
 * thread.
 */
final class RunRecorder {
  private final RunFolder folder;
  private final Supplier<RunDocument> document;
  private @Nullable Consumer<Path> viewer;
  private final boolean viewed;
  private @Nullable RunDocument latest;

  /**
   * Creates a recorder.
   *
   * @param document returns the run with the results so far
   * @param request says what to do besides
   */
  RunRecorder(RunFolder folder, Supplier<RunDocument> document, BenchRequest request) {
    this.folder = folder;
    this.document = document;
    this.viewer = request.viewer();
    this.viewed = viewer != null;
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

  /** Writes the results so far, and returns them. */
  RunDocument write() throws IOException {
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
