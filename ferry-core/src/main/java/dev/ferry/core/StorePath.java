package dev.ferry.core;

import dev.ferry.core.internal.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * A relative path of a file in a store, with {@code /} between segments.
 *
 * <p>Segments are what Linux permits as a file name, as long as it is Unicode: also those with
 * backslashes, line breaks and other control characters. {@link #parse} checks the text; the
 * constructor does not. Servers parse every path that a peer sends. The store checks where symbolic
 * links lead.
 *
 * @param value the path as given, for instance {@code 2026/taxi.csv}; empty for the root
 */
public record StorePath(String value) {
  /** Maximum UTF-8 bytes of a segment, as on common file systems. */
  public static final int MAX_SEGMENT_BYTES = 255;

  /** Maximum UTF-8 bytes of a path. */
  public static final int MAX_PATH_BYTES = 4096;

  /**
   * Directories that a new file or directory may be in. A path is resolved from its beginning, so
   * each one costs all calls below it.
   */
  public static final int MAX_DEPTH = 256;

  /** Prefix of Ferry's temporary files. Segments with this prefix are invalid. */
  public static final String RESERVED_PREFIX = ".ferry-";

  /** The store's root directory. It can be listed, but is not a file. */
  public static final StorePath ROOT = new StorePath("");

  /**
   * Parses the path of a file.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if the path is empty or absolute,
   *     exceeds {@value #MAX_PATH_BYTES} bytes, contains an empty segment, {@code .}, {@code ..}, a
   *     NUL, a segment of over {@value #MAX_SEGMENT_BYTES} bytes or a reserved name, or is not
   *     valid Unicode
   */
  public static StorePath parse(String text) throws FerryException {
    if (text.isEmpty()) {
      throw invalid(text, "it is empty");
    }
    if (text.charAt(0) == '/') {
      throw invalid(text, "it must be relative");
    }
    if (text.indexOf('\0') >= 0) {
      throw invalid(text, "it contains a NUL, which no file name has");
    }
    if (utf8Length(text, text) > MAX_PATH_BYTES) {
      throw invalid(text.substring(0, 40) + "...", "it has over " + MAX_PATH_BYTES + " bytes");
    }
    for (String segment : text.split("/", -1)) {
      checkSegment(text, segment);
    }
    return new StorePath(text);
  }

  /** Parses the path of a directory, as {@link #parse}; an empty text is {@link #ROOT}. */
  public static StorePath parseDirectory(String text) throws FerryException {
    return text.isEmpty() ? ROOT : parse(text);
  }

  /**
   * Checks that a file or directory may be made here.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if it would be in more than {@value
   *     #MAX_DEPTH} directories
   */
  public void requireDepth() throws FerryException {
    int depth = 0;
    for (int at = value.indexOf('/'); at >= 0; at = value.indexOf('/', at + 1)) {
      depth++;
    }
    if (depth > MAX_DEPTH) {
      String first = value.substring(0, Math.min(value.length(), 40));
      throw invalid(first + "...", "it is over " + MAX_DEPTH + " folders deep; use fewer");
    }
  }

  /**
   * Returns the path of an entry of this directory. {@code name} is not checked, so it must come
   * from the store and not from a peer.
   */
  public StorePath child(String name) {
    return new StorePath(value.isEmpty() ? name : value + "/" + name);
  }

  /** Returns the last segment; the empty text for the root. */
  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  /** Returns the path of the directory that this is in; the root for the root. */
  public StorePath parent() {
    return new StorePath(value.substring(0, Math.max(0, value.lastIndexOf('/'))));
  }

  /** Returns whether this is the path of a directory itself, or of anything below it. */
  public boolean isWithin(StorePath directory) {
    String above = directory.value;
    return above.isEmpty()
        || value.equals(above)
        || (value.startsWith(above) && value.charAt(above.length()) == '/');
  }

  /**
   * Compares two paths in the order of lists: that of the Unicode code points of their names, with
   * what is in a folder right behind the folder.
   */
  public static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean bothSurrogates = Character.isSurrogate(x) == Character.isSurrogate(y);
        return x == '/'
            ? -1
            : y == '/'
                ? 1
                : bothSurrogates ? Character.compare(x, y) : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  private static void checkSegment(String text, String segment) throws FerryException {
    if (segment.isEmpty()) {
      throw invalid(text, "it has an empty segment");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw invalid(text, "'" + segment + "' is not allowed");
    }
    // Ignore case, because some file systems do.
    if (segment.regionMatches(true, 0, RESERVED_PREFIX, 0, RESERVED_PREFIX.length())) {
      throw invalid(text, "names that start with '" + RESERVED_PREFIX + "' are reserved");
    }
    if (utf8Length(text, segment) > MAX_SEGMENT_BYTES) {
      throw invalid(text, "a name has over " + MAX_SEGMENT_BYTES + " bytes");
    }
  }

  private static int utf8Length(String text, String part) throws FerryException {
    int bytes = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (!Character.isSurrogate(c)) {
        bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      } else if (i + 1 < part.length() && Character.isSurrogatePair(c, part.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        throw invalid(text, "not valid Unicode");
      }
    }
    return bytes;
  }

  private static FerryException invalid(String text, String why) {
    return new FerryException(
        ErrorKind.INVALID_PATH, "invalid path '" + PlainText.of(text) + "': " + why);
  }

  /** Written out, as is {@link #hashCode}: that of a record is linked at run time, 15 ms. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StorePath that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value;
  }
}
