package dev.ferry.cli.client;

import dev.ferry.core.Digest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What both ends of a transfer compute and compare, as people name it. */
enum Checksum {
  CRC32C(Digest.Algorithm.CRC32C),
  SHA256(Digest.Algorithm.SHA256),
  NONE(null);

  private final Digest.@Nullable Algorithm algorithm;

  Checksum(Digest.@Nullable Algorithm algorithm) {
    this.algorithm = algorithm;
  }

  /** Returns the algorithm; null for none. */
  Digest.@Nullable Algorithm algorithm() {
    return algorithm;
  }

  /** The word on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
