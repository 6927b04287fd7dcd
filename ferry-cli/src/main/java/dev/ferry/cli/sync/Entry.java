package dev.ferry.cli.sync;

import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.internal.Modes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A name in a folder.
 *
 * @param name the name; that of {@link Kind#UNNAMED} is its whole path for people
 * @param size bytes of a file
 * @param modified its modification time, or {@link FileFacts#UNKNOWN_TIME}
 * @param mode its permissions, from 0 to 0777; null if they are not known
 * @param link the target of a link that is made as one; null for everything else
 * @param reason why it is not copied; empty for files and folders
 */
record Entry(
    String name,
    Kind kind,
    long size,
    Instant modified,
    @Nullable Integer mode,
    @Nullable String link,
    String reason) {
  /** Why a link is not made as one. */
  private static final String LEADS_OUT =
      "it is a symbolic link whose target is not relative, or not in the tree";

  private static final int NANOS_OF_MILLI = 1_000_000;

  /** What has the name. */
  enum Kind {
    /** A file, or a local link to one. */
    FILE,
    /** A folder. */
    FOLDER,
    /**
     * A link that is not followed: a local one to a folder, or one that leads nowhere or up. With
     * {@code --links}, every link.
     */
    LINK,
    /** What is none of these, such as a named pipe, or cannot be read. */
    OTHER,
    /** What has a name that no request can have. The other end may have the same. */
    UNNAMED
  }

  /** Whether two files are equal. */
  enum Likeness {
    EQUAL,
    DIFFERENT,
    /** Only their digests can show it. */
    UNKNOWN
  }

  /** Returns what is not copied. */
  static Entry leftOut(String name, Kind kind, String reason) {
    return new Entry(name, kind, 0, FileFacts.UNKNOWN_TIME, null, null, reason);
  }

  /**
   * Returns the entry of a link where links are made as links.
   *
   * @param target empty if it is not relative, or not in the tree: it is not copied then
   */
  static Entry link(String name, String target) {
    return target.isEmpty()
        ? leftOut(name, Kind.LINK, LEADS_OUT)
        : new Entry(name, Kind.LINK, 0, FileFacts.UNKNOWN_TIME, null, target, "");
  }

  /** Returns the entry of what a server, or a local folder, has under a name. */
  static Entry of(String name, FileFacts facts) {
    LeftOut leftOut = facts.leftOut();
    Kind kind =
        leftOut == null
            ? facts.directory() ? Kind.FOLDER : Kind.FILE
            : switch (leftOut) {
              case LINK, LOOP, TREE -> Kind.LINK;
              case SPECIAL, UNREADABLE -> Kind.OTHER;
              case NAME -> Kind.UNNAMED;
            };
    return new Entry(
        name,
        kind,
        facts.size(),
        facts.lastModified(),
        facts.mode(),
        null,
        leftOut == null ? "" : leftOut.reason());
  }

  boolean isFolder() {
    return kind == Kind.FOLDER;
  }

  /**
   * Compares this file of the source with one of the target, by size, execute permission and
   * modification time. Only a permission that the target lacks is a difference: some mounts show
   * all files as executable, and copies there would never become equal.
   *
   * @param digests whether digests are compared and not times
   */
  Likeness likeness(Entry other, boolean digests) {
    boolean lacksBit =
        Boolean.TRUE.equals(Modes.executable(mode))
            && Boolean.FALSE.equals(Modes.executable(other.mode));
    if (other.kind != kind || other.size != size || lacksBit) {
      return Likeness.DIFFERENT;
    }
    if (digests
        || modified.equals(FileFacts.UNKNOWN_TIME)
        || other.modified.equals(FileFacts.UNKNOWN_TIME)) {
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
