package dev.ferry.suites.advice;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.report.Figures;
import java.util.Objects;
import java.util.Set;

/** What the advice knows about methods. */
final class Methods {
  /**
   * The stack of a published report, which is measured and which nobody can have, and a socket
   * without a protocol.
   */
  private static final Set<String> REFERENCES = Set.of("RentedArray", "TlsSocket");

  /** Rows that do not verify show what verifying costs. */
  static final String BARE = "Bare";

  private static final Set<String> GRPC = Set.of("ZeroCopy", "OwnZeroCopy", "Default");

  private static final Set<String> HTTP =
      Set.of("FerryHttp", "HttpClient", "HttpClientFile", "ApacheTuned");

  private Methods() {}

  /** Returns whether a user can choose the method of a row. */
  static boolean isChoice(Row row) {
    return !row.isControl() && !row.method().endsWith(BARE) && !REFERENCES.contains(row.method());
  }

  static boolean isGrpc(Row row) {
    return GRPC.contains(row.method());
  }

  static boolean isHttp(Row row) {
    return HTTP.contains(row.method());
  }

  /** Returns the time of a measured row, in its unit. */
  static double time(Row row) {
    return Objects.requireNonNull(row.typicalTime());
  }

  /** Returns what people call the method of a row. */
  static String name(Row row) {
    return MethodNames.of(row.key()).orElse(row.method());
  }

  /** Returns what people call the method of a row, with its time. */
  static String named(Row row) {
    return named(name(row), row);
  }

  static String named(String name, Row row) {
    return "%s (%s)".formatted(name, Figures.time(row, time(row)));
  }
}
