package dev.ferry.suites.calls.service;

import java.util.Locale;

/** All items, by index. Items are computed from the seed; only names are stored. Thread-safe. */
public record Items(long seed) {
  private static final FixedTexts NAMES =
      new FixedTexts(i -> String.format(Locale.ROOT, "item %05d", i * 7));
  private static final int PRICES = 100_000;
  private static final double CENT = 100;

  /** Returns the item of an index, from 0. */
  public Item at(long index) {
    long mixed = Mix.of(seed, index);
    return new Item(index, NAMES.of(mixed), Math.floorMod(mixed >>> 20, PRICES) / CENT);
  }
}
