package dev.ferry.lab.model;

/**
 * The library that encodes the bytes of a row.
 *
 * @param library the name of the library, for display
 * @param format the format, such as {@code gzip}; empty if nothing is compressed
 * @param level the level of the format; 0 if nothing is compressed
 */
public record Codec(String library, String format, int level) {
  /** The codec of rows without compression. */
  public static final Codec NONE = new Codec("none", "", 0);

  /** Creates a codec for gzip. */
  public Codec(String library, int level) {
    this(library, "gzip", level);
  }

  /** Returns the library and level for display: {@code java.util.zip, gzip level 1}. */
  public String label() {
    return format.isEmpty() ? library : library + ", " + format + " level " + level;
  }

  /**
   * Returns whether the codecs with two labels have the same format and level. A ratio between
   * different levels would be unfair to the higher level.
   */
  public static boolean sameLevel(String label, String other) {
    return level(label).equals(level(other));
  }

  /** Returns the part of a label that names the level; all of it without a level. */
  private static String level(String label) {
    return label.substring(label.lastIndexOf(", ") + 1);
  }
}
