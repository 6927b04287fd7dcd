package dev.ferry.http.internal;

import org.jspecify.annotations.Nullable;

/** The header fields of a response, independent of the HTTP client. */
@FunctionalInterface
public interface Fields {
  /** Returns the first value of a field; null if it is absent. The name is case-insensitive. */
  @Nullable String get(String name);
}
