package dev.ferry.calls;

import java.util.Locale;

/** All rows there are, by their index. Thread-safe; nothing is kept but names. */
public final class Rows {
  private static final Names NAMES = new Names(i -> String.format(Locale.ROOT, "row-%06x", i * 5L));
  private static final int NUMBER_BITS = 28;

  private final long seed;

  /** Rows of a seed: the same seed, the same rows. */
  public Rows(long seed) {
    this.seed = seed;
  }

  /** The row of an index, from 0. */
  public Row at(long index) {
    long mixed = Mix.of(seed, index);
    return new Row(mixed >>> (Long.SIZE - NUMBER_BITS), NAMES.of(mixed));
  }

  /** The number of the row of an index. */
  public long number(long index) {
    return Mix.of(seed, index) >>> (Long.SIZE - NUMBER_BITS);
  }

  /** The name of the row of an index. */
  public String name(long index) {
    return NAMES.of(Mix.of(seed, index));
  }
}
