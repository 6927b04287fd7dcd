package dev.ferry.load;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Merges what the workers of a load have left in their folders. */
public final class Merge {
  static final Pattern WORKER = Pattern.compile("worker-([1-9]\\d{0,4})");

  private Merge() {}

  /**
   * Merges all workers of a folder.
   *
   * @param folder contains the folders {@code worker-1}, {@code worker-2} and so on
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if there is none of them; with {@link
   *     ErrorKind#INVALID_REQUEST} if a file is not what a worker writes, or the workers did not
   *     have the same plan
   * @throws IOException if a file cannot be read
   */
  public static MergedReport of(Path folder) throws IOException {
    TreeMap<Integer, Path> folders = new TreeMap<>();
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.toList()) {
        Matcher matcher = WORKER.matcher(entry.getFileName().toString());
        if (matcher.matches()) {
          folders.put(Integer.valueOf(matcher.group(1)), entry);
        }
      }
    }
    Workload plan = null;
    Path first = folder;
    List<LoadReport> reports = new ArrayList<>();
    for (var entry : folders.entrySet()) {
      Path worker = entry.getValue();
      Workload own = WorkerResults.plan(worker);
      if (own == null) {
        continue;
      }
      if (plan == null) {
        plan = own;
        first = worker;
      }
      requireSame(plan, own, first, worker, entry.getKey());
      LoadReport report = WorkerResults.read(worker);
      if (report != null) {
        requireOwn(report, worker, entry.getKey());
        reports.add(report);
      }
    }
    if (plan == null) {
      throw new FerryException(
          ErrorKind.NOT_FOUND,
          folder + ": has no folder worker-1 with results; name what --out named for the workers");
    }
    return MergedReport.of(plan, reports);
  }

  /** A copy of another worker's folder would count twice. */
  private static void requireOwn(LoadReport report, Path worker, int number) throws FerryException {
    if (report.state().worker() != number) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          worker + ": has the report of worker " + report.state().worker() + "; remove the copy");
    }
  }

  private static void requireSame(
      @Nullable Workload plan, Workload own, Path first, Path worker, int number)
      throws FerryException {
    if (!own.equals(plan)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          worker + ": has another plan than " + first + "; merge the workers of one load");
    }
    if (number > own.workers()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, worker + ": the plan has " + own.workers() + " workers");
    }
  }
}
