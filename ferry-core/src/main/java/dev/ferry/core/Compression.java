package dev.ferry.core;

/**
 * How a file is compressed on its way.
 *
 * @param format of the compressed bytes
 * @param level how hard to try: a higher one takes longer and leaves fewer bytes
 */
public record Compression(Format format, int level) {
  /** gzip at level 1, the fastest that compresses: every carrier has it. */
  public static final Compression GZIP = new Compression(Format.GZIP, 1);

  /** A format of compressed bytes. */
  public enum Format {
    /** RFC 1952; levels from 0 (stores) to 9. */
    GZIP("gzip", 0, 9),
    /** RFC 8878; levels from 1 to 19. */
    ZSTD("zstd", 1, 19);

    private final String encoding;
    private final int lowestLevel;
    private final int highestLevel;

    Format(String encoding, int lowestLevel, int highestLevel) {
      this.encoding = encoding;
      this.lowestLevel = lowestLevel;
      this.highestLevel = highestLevel;
    }

    /** Its name in gRPC and HTTP. */
    public String encoding() {
      return encoding;
    }
  }

  /**
   * Checks the level.
   *
   * @throws IllegalArgumentException with one line that names the format's levels
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

  /** gzip of about the same effort, for a peer that has nothing else. */
  public Compression asGzip() {
    return new Compression(Format.GZIP, Math.min(level, Format.GZIP.highestLevel));
  }
}
