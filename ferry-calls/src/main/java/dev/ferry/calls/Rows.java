package dev.ferry.calls;

import java.util.Locale;

/** All rows, by index. Rows are computed from the seed; only names are stored. Thread-safe. */
public final class Rows {
  private static final Names NAMES = new Names(i -> String.format(Locale.ROOT, "row-%06x", i * 5L));
  private static final int NUMBER_BITS = 28;

  private final long seed;

  /** Creates the rows of a seed. Equal seeds give equal rows. */
  public Rows(long seed) {
    this.seed = seed;
  }

  /** Returns the row of an index, from 0. */
  public Row at(long index) {
    long mixed = Mix.of(seed, index);
    return new Row(mixed >>> (Long.SIZE - NUMBER_BITS), NAMES.of(mixed));
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
