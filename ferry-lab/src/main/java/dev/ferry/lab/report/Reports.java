package dev.ferry.lab.report;

import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes all reports of a run to its folder. */
public final class Reports {
  private static final String PAGE = "report.html";

  private Reports() {}

  /**
   * Writes {@code report.html} for a run that goes on. It loads itself again every ten seconds,
   * until it is overwritten by the page of the whole run.
   *
   * @return the page
   */
  public static Path writePage(Path folder, RunDocument soFar) throws IOException {
    return writePage(folder, HtmlReport.render(soFar, true));
  }

  /** Replaces the page at once, since a browser may be loading it. */
  private static Path writePage(Path folder, String html) throws IOException {
    Path written = folder.resolve(PAGE + ".part");
    Files.writeString(written, html);
    return Files.move(written, folder.resolve(PAGE), StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes {@code report.md}, {@code report.html} and {@code report.svg}. Overwrites existing ones.
   */
  public static void write(Path folder, RunDocument run) throws IOException {
    Files.writeString(folder.resolve("report.md"), TextReport.markdown(run));
    Path unused = writePage(folder, HtmlReport.render(run, false));
    Files.writeString(folder.resolve("report.svg"), SvgReport.render(run));
  }
}
