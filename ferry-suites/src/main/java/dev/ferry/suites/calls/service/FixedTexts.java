package dev.ferry.suites.calls.service;

import java.util.function.IntFunction;

/**
 * A fixed set of texts that are created once. Otherwise a benchmark would measure the creation of
 * texts instead of sending them.
 */
final class FixedTexts {
  private static final int COUNT = 4096;

  private final String[] texts = new String[COUNT];

  /** Creates each text from its number. */
  FixedTexts(IntFunction<String> text) {
    for (int i = 0; i < COUNT; i++) {
      texts[i] = text.apply(i);
    }
  }

  /** Selects a text by the low bits of a number. */
  String of(long mixed) {
    return texts[(int) (mixed & (COUNT - 1))];
  }
}
