package dev.ferry.suites.calls.service;

/**
 * Pseudorandom numbers that depend only on a seed and an index: the finalizer of SplitMix64
 * (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
 */
final class Mix {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /** Returns a number whose 64 bits are all well mixed. */
  static long of(long seed, long index) {
    long z = seed + (index + 1) * GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
