package dev.ferry.suites.advice;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.report.Figures;
import java.util.Map;
import java.util.Objects;

/** What the advice knows about methods. */
final class Methods {
  private static final Map<String, String> NAMES =
      Map.of(
          "ZeroCopy", "Ferry's gRPC",
          "FerryHttp", "Ferry's HTTP",
          "Default", "grpc-java's defaults",
          "HttpClient", "java.net.http",
          "HttpClientFile", "java.net.http",
          "ApacheTuned", "Apache HttpClient 5");

  /** The stack of a published report, which is measured and which nobody can have. */
  private static final String LABORATORY = "RentedArray";

  /** Rows that do not verify show what verifying costs. */
  static final String BARE = "Bare";

  private Methods() {}

  /** Returns whether a user can choose the method of a row. */
  static boolean isChoice(Row row) {
    return !row.isControl() && !row.method().endsWith(BARE) && !row.method().equals(LABORATORY);
  }

  /** Returns the time of a measured row, in its unit. */
  static double time(Row row) {
    return Objects.requireNonNull(row.typicalTime());
  }

  /** Returns the method with its time, and with what it is if that is not in its name. */
  static String describe(Row row) {
    String name = NAMES.get(row.method());
    return "%s (%s%s)"
        .formatted(row.method(), name == null ? "" : name + ", ", Figures.time(row, time(row)));
  }
}
