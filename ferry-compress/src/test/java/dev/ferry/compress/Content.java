package dev.ferry.compress;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Bytes to compress, told by how they are made, so that a failure prints in one line. */
record Content(Kind kind, int size, long seed) {
  private static final int BLOCK = 65_535;

  enum Kind {
    ZEROS,
    RUNS,
    ROWS,
    FEW_VALUES,
    RANDOM
  }

  /** Sizes around the small and the block's, and some large ones. */
  static Arbitrary<Content> any() {
    return upTo(1 << 20);
  }

  static Arbitrary<Content> upTo(int max) {
    Arbitrary<Integer> sizes =
        Arbitraries.frequencyOf(
            Tuple.of(4, between(0, 40)),
            Tuple.of(8, between(0, Math.min(max, 3000))),
            Tuple.of(4, between(Math.min(max, BLOCK - 5), Math.min(max, BLOCK + 5))),
            Tuple.of(1, between(0, max)));
    return Combinators.combine(Arbitraries.of(Kind.values()), sizes, Arbitraries.longs())
        .as(Content::new);
  }

  private static Arbitrary<Integer> between(int min, int max) {
    return Arbitraries.integers().between(min, max).withDistribution(RandomDistribution.uniform());
  }

  byte[] bytes() {
    byte[] bytes = new byte[size];
    Random random = new Random(seed);
    switch (kind) {
      case ZEROS -> {}
      case RUNS -> {
        for (int i = 0; i < size; ) {
          int end = Math.min(size, i + 1 + random.nextInt(700));
          Arrays.fill(bytes, i, end, (byte) random.nextInt());
          i = end;
        }
      }
      case ROWS -> {
        StringBuilder rows = new StringBuilder();
        while (rows.length() < size) {
          rows.append("CMT,1,").append(random.nextInt(6)).append(',');
          rows.append(random.nextInt(3000)).append(',').append(random.nextInt(400) / 10.0);
          rows.append(",CRD,").append(random.nextInt(900) / 10.0).append('\n');
        }
        byte[] text = rows.toString().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, bytes, 0, size);
      }
      case FEW_VALUES -> {
        for (int i = 0; i < size; i++) {
          bytes[i] = (byte) random.nextInt(9);
        }
      }
      case RANDOM -> random.nextBytes(bytes);
    }
    return bytes;
  }
}
