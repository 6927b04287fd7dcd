package dev.ferry.calls;

import java.util.function.IntFunction;

/**
 * A fixed number of texts, made once: a server that built each anew would be measured at that, and
 * not at sending them.
 */
final class Names {
  private static final int COUNT = 4096;

  private final String[] texts = new String[COUNT];

  /** Makes each text from its number. */
  Names(IntFunction<String> text) {
    for (int i = 0; i < COUNT; i++) {
      texts[i] = text.apply(i);
    }
  }

  /** One of them. */
  String of(long mixed) {
    return texts[(int) (mixed & (COUNT - 1))];
  }
}
