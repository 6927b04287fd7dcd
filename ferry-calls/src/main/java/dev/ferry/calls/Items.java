package dev.ferry.calls;

import java.util.Locale;

/** All items there are, by their index. Thread-safe; nothing is kept but names. */
public final class Items {
  private static final Names NAMES = new Names(i -> String.format(Locale.ROOT, "item %05d", i * 7));
  private static final int PRICES = 100_000;
  private static final double CENT = 100;

  private final long seed;

  /** Items of a seed. */
  public Items(long seed) {
    this.seed = seed;
  }

  /** The item of an index, from 0. */
  public Item at(long index) {
    long mixed = Mix.of(seed, index);
    return new Item(index, NAMES.of(mixed), Math.floorMod(mixed >>> 20, PRICES) / CENT);
  }
}
