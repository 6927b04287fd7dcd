package dev.ferry.core;

/**
 * How a file is compressed in transit.
 *
 * @param format format of the compressed bytes
 * @param level compression level; a higher level takes longer and usually produces fewer bytes
 */
public record Compression(Format format, int level) {
  /** gzip at level 1, the fastest level that compresses. Every carrier supports it. */
  public static final Compression GZIP = new Compression(Format.GZIP, 1);

  /** A compression format. */
  public enum Format {
    /** RFC 1952. Levels 0 (stored) to 9. */
    GZIP("gzip", 0, 9),
    /** RFC 8878. Levels 1 to 19. */
    ZSTD("zstd", 1, 19);

    private final String encoding;
    private final int lowestLevel;
    private final int highestLevel;

    Format(String encoding, int lowestLevel, int highestLevel) {
      this.encoding = encoding;
      this.lowestLevel = lowestLevel;
      this.highestLevel = highestLevel;
    }

    /** The name of the format as a content coding in gRPC and HTTP. */
    public String encoding() {
      return encoding;
    }
  }

  /**
   * Checks the level.
   *
   * @throws IllegalArgumentException if the format does not have the level; the message is one line
   *     that names the format's levels
   */
  public Compression {
    if (level < format.lowestLevel || level > format.highestLevel) {
      throw new IllegalArgumentException(
          format.encoding
              + " has no level "
              + level
              + ": choose from "
              + format.lowestLevel
              + " to "
              + format.highestLevel);
    }
  }

  /**
   * Returns gzip at the same level, or at its highest if that is lower, for a peer that supports
   * only gzip.
   */
  public Compression asGzip() {
    return new Compression(Format.GZIP, Math.min(level, Format.GZIP.highestLevel));
  }
}
