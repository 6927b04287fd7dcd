package dev.ferry.lab.model;

/**
 * What encodes a row's bytes.
 *
 * @param library its name, for people
 * @param level how hard it compresses by gzip, 1 to 9; 0 where nothing is compressed
 */
public record Codec(String library, int level) {
  /** Where nothing is compressed. */
  public static final Codec NONE = new Codec("none", 0);

  /** Library and level, for people: {@code java.util.zip, gzip level 1}. */
  public String label() {
    return level == 0 ? library : library + ", gzip level " + level;
  }

  /** Whether both compress as hard: the harder one would be charged for it in a ratio. */
  public boolean sameLevel(Codec other) {
    return level == other.level;
  }
}
