package dev.ferry.lab.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Names one ceiling of a run: what is done, and with how much.
 *
 * @param name what is done
 * @param load what a sample moves; null for the run's own file, once
 */
public record CeilingKey(CeilingName name, @Nullable Load load) {
  /** A name for files: lower-case letters, digits and dashes. */
  public String fileName() {
    return toString().toLowerCase(Locale.ROOT).replace(",", "").replaceAll("[^a-z0-9]+", "-");
  }

  @Override
  public String toString() {
    return title(name.label(), load);
  }

  /** A ceiling as in reports. */
  static String title(String label, @Nullable Load load) {
    return load == null ? label : label + ", " + load;
  }
}
