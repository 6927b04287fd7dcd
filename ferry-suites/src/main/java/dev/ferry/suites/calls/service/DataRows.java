package dev.ferry.suites.calls.service;

import java.util.Locale;

/**
 * All rows, by index. Rows are computed from the seed, so equal seeds give equal rows; only names
 * are stored. Thread-safe.
 */
public record DataRows(long seed) {
  private static final FixedTexts NAMES =
      new FixedTexts(i -> String.format(Locale.ROOT, "row-%06x", i * 5L));
  private static final int NUMBER_BITS = 28;

  /** Returns the row of an index, from 0. */
  public DataRow at(long index) {
    long mixed = Mix.of(seed, index);
    return new DataRow(mixed >>> (Long.SIZE - NUMBER_BITS), NAMES.of(mixed));
  }

  /** Returns the number of the row of an index. */
  public long number(long index) {
    return Mix.of(seed, index) >>> (Long.SIZE - NUMBER_BITS);
  }

  /** Returns the name of the row of an index. */
  public String name(long index) {
    return NAMES.of(Mix.of(seed, index));
  }
}
