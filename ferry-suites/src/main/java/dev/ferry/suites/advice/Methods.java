package dev.ferry.suites.advice;

import dev.ferry.lab.model.Row;
import java.util.Map;

/** Classifies the methods of the file tables. */
final class Methods {
  private static final Map<String, String> NAMES =
      Map.of(
          "ZeroCopy", "Ferry's gRPC",
          "Default", "grpc-java as most people write it",
          "HttpClient", "java.net.http with a copy buffer",
          "HttpClientFile", "java.net.http with ofFile",
          "ApacheTuned", "Apache HttpClient 5, tuned");

  private Methods() {}

  /** Returns the method with a description if there is one. */
  static String describe(Row row) {
    String name = NAMES.get(row.method());
    return name == null ? row.method() : row.method() + " (" + name + ")";
  }
}
