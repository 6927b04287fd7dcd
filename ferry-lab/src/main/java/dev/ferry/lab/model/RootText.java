package dev.ferry.lab.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts with figures, which look the same on every machine. */
public final class RootText {
  private RootText() {}

  /** Formats as {@link String#format} does, without the machine's language. */
  public static String format(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
