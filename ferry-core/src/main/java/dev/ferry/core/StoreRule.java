package dev.ferry.core;

import dev.ferry.core.internal.PlainText;
import java.util.Locale;

/**
 * Gives a caller a permission on a path and on everything below it. Its text is the permission and
 * the path, for instance {@code read:/} or {@code write:/inbox}.
 *
 * @param permission what is permitted
 * @param path a file or directory, which need not exist; {@link StorePath#ROOT} for all files
 * @param directory whether the text of the path ends with {@code /}: it is the path of a directory
 */
public record StoreRule(Permission permission, StorePath path, boolean directory) {
  /** What a rule permits. */
  public enum Permission {
    /** Reading files, their facts and their digests. */
    READ,
    /** Listing directories, and reading facts without digests. */
    LIST,
    /** Creating files, and the directories that they need. */
    CREATE,
    /** Creating and replacing files. */
    WRITE,
    /** Deleting files and empty directories, and moving them from there. */
    DELETE,
    /** Every operation, also those of later versions. */
    ALL;

    private boolean includes(Permission wanted) {
      return this == wanted || this == ALL || (this == WRITE && wanted == CREATE);
    }
  }

  /** Creates a rule for a file or a directory. */
  public StoreRule(Permission permission, StorePath path) {
    this(permission, path, false);
  }

  /**
   * Parses a rule.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed, or {@link
   *     ErrorKind#INVALID_PATH} if its path is; the message is one line that quotes it
   */
  public static StoreRule parse(String text) throws FerryException {
    int colon = text.indexOf(":/");
    for (Permission permission : Permission.values()) {
      if (colon > 0 && text.substring(0, colon).equals(word(permission))) {
        String path = text.substring(colon + 2);
        if (path.chars().anyMatch(Character::isISOControl)) {
          // The files of callers have a line for each caller.
          throw new FerryException(
              ErrorKind.INVALID_PATH,
              "'"
                  + PlainText.of(text)
                  + "': a rule has no control characters; name a folder above");
        }
        boolean ended = path.length() > 1 && path.endsWith("/");
        return new StoreRule(
            permission,
            StorePath.parseDirectory(ended ? path.substring(0, path.length() - 1) : path),
            ended);
      }
    }
    throw new FerryException(
        ErrorKind.INVALID_REQUEST,
        "'"
            + PlainText.of(text)
            + "' is not a rule; give read, list, create, write, delete or all, and a path, such as"
            + " read:/ or write:/inbox");
  }

  /** Returns whether this gives a permission on a path. */
  public boolean permits(Permission wanted, StorePath where) {
    return permission.includes(wanted) && where.isWithin(path);
  }

  private static String word(Permission permission) {
    return permission.name().toLowerCase(Locale.ROOT);
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    return word(permission) + ":/" + path.value() + (directory ? "/" : "");
  }
}
