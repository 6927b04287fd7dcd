package dev.ferry.http.internal;

import java.net.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** The header fields of a response, whichever client read them. */
@FunctionalInterface
public interface Fields {
  /** The first value of a field, whose name is in any case; null where there is none. */
  @Nullable String get(String name);

  static Fields of(HttpHeaders headers) {
    return name -> headers.firstValue(name).orElse(null);
  }
}
