package dev.ferry.cli.sync;

import java.time.Instant;

/**
 * A name in a folder.
 *
 * @param size bytes of a file
 * @param modified its modification time; the epoch if that is not known
 */
record Entry(String name, Kind kind, long size, Instant modified) {
  private static final int NANOS_OF_MILLI = 1_000_000;

  /** What has the name. */
  enum Kind {
    /** A file, or a local link to one. */
    FILE,
    /** A folder. */
    FOLDER,
    /** A local link to a folder or to nothing. */
    LINK,
    /** A local name that is neither, such as a named pipe. */
    OTHER,
    /** A local name that is no text in the locale of the process. */
    UNNAMED
  }

  /** Whether two files are equal. */
  enum Likeness {
    EQUAL,
    DIFFERENT,
    /** Only their digests can show it. */
    UNKNOWN
  }

  boolean isFolder() {
    return kind == Kind.FOLDER;
  }

  /**
   * Compares two files by size and modification time.
   *
   * @param digests whether digests are compared and not times
   */
  Likeness likeness(Entry other, boolean digests) {
    if (other.kind != kind || other.size != size) {
      return Likeness.DIFFERENT;
    }
    if (digests || modified.equals(Instant.EPOCH) || other.modified.equals(Instant.EPOCH)) {
      return Likeness.UNKNOWN;
    }
    return sameTime(modified, other.modified) ? Likeness.EQUAL : Likeness.DIFFERENT;
  }

  /**
   * Compares times by their milliseconds, which is what transfers keep; by their seconds if one of
   * them has no fraction, since some file systems keep none.
   */
  private static boolean sameTime(Instant a, Instant b) {
    int millisOfA = a.getNano() / NANOS_OF_MILLI;
    int millisOfB = b.getNano() / NANOS_OF_MILLI;
    return a.getEpochSecond() == b.getEpochSecond()
        && (millisOfA == millisOfB || millisOfA == 0 || millisOfB == 0);
  }
}
