package dev.ferry.lab.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one ceiling of a run.
 *
 * @param name what is done
 * @param load what a sample transfers; null for the run's file, once
 */
public record CeilingKey(CeilingName name, @Nullable Load load) {
  /** Returns a name for files: lower-case letters, digits and dashes. */
  public String fileName() {
    return toString().toLowerCase(Locale.ROOT).replace(",", "").replaceAll("[^a-z0-9]+", "-");
  }

  @Override
  public String toString() {
    return title(name.label(), load);
  }

  /** Returns the title of a ceiling in reports. */
  static String title(String label, @Nullable Load load) {
    return load == null ? label : label + ", " + load;
  }
}
