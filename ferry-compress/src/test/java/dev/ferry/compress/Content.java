package dev.ferry.compress;

import dev.ferry.core.Generated;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

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

  /** Returns one of a size that is small, near that of a block, or large. */
  static Content any(Generated input) {
    return upTo(input, 1 << 20);
  }

  static Content upTo(Generated input, int greatest) {
    int size =
        switch (input.of(1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4)) {
          case 1 -> input.between(0, 40);
          case 2 -> input.size(Math.min(greatest, 3000));
          case 3 -> Math.min(greatest, input.between(BLOCK - 5, BLOCK + 5));
          default -> input.size(greatest);
        };
    return new Content(input.of(Kind.class), size, input.anyLong());
  }

  /** Returns one that is so small that each of its bytes can be tried. */
  static Content tiny(Generated input) {
    return new Content(input.of(Kind.class), input.size(300), input.anyLong());
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
