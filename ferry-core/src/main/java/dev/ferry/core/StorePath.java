package dev.ferry.core;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The name of a file in a store: relative, {@code /} between its segments, checked.
 *
 * <p>{@link #parse} checks the text, the constructor does not: a server parses what a peer sent.
 * Where symbolic links lead is the store's to check.
 *
 * @param value the path as it was given, for instance {@code 2026/taxi.csv}; empty for the root
 */
public record StorePath(String value) {
  /** Bytes a segment may have in UTF-8, as on every common file system. */
  public static final int MAX_SEGMENT_BYTES = 255;

  /** Bytes a whole path may have in UTF-8. */
  public static final int MAX_PATH_BYTES = 4096;

  /** Segments that start so are Ferry's own temporary files and not to be named by anybody. */
  public static final String RESERVED_PREFIX = ".ferry-";

  /** The store's root directory; it can be listed, and is no file. */
  public static final StorePath ROOT = new StorePath("");

  /**
   * Checks a file's path.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH}: empty, absolute, an empty segment,
   *     {@code .} or {@code ..}, a backslash, a control character, text that is not valid Unicode,
   *     a segment over 255 bytes, a reserved name
   */
  public static StorePath parse(String text) throws FerryException {
    if (text.isEmpty()) {
      throw invalid(text, "it is empty");
    }
    if (text.charAt(0) == '/') {
      throw invalid(text, "it must be relative");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        throw invalid(text, "a backslash separates nothing here; use '/'");
      }
      if (Character.isISOControl(c)) {
        throw invalid(text, "it holds a control character");
      }
    }
    if (utf8Length(text, text) > MAX_PATH_BYTES) {
      throw invalid(text.substring(0, 40) + "...", "it has over " + MAX_PATH_BYTES + " bytes");
    }
    for (String segment : text.split("/", -1)) {
      checkSegment(text, segment);
    }
    return new StorePath(text);
  }

  /** Checks a directory's path: as {@link #parse}, and an empty text means {@link #ROOT}. */
  public static StorePath parseDirectory(String text) throws FerryException {
    return text.isEmpty() ? ROOT : parse(text);
  }

  /** The path of an entry of this directory; {@code name} comes from the store, not from a peer. */
  public StorePath child(String name) {
    return new StorePath(value.isEmpty() ? name : value + "/" + name);
  }

  private static void checkSegment(String text, String segment) throws FerryException {
    if (segment.isEmpty()) {
      throw invalid(text, "it has an empty segment");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw invalid(text, "'" + segment + "' is not allowed");
    }
    // In any case: some file systems do not tell them apart.
    if (segment.regionMatches(true, 0, RESERVED_PREFIX, 0, RESERVED_PREFIX.length())) {
      throw invalid(text, "names that start with '" + RESERVED_PREFIX + "' are reserved");
    }
    if (utf8Length(text, segment) > MAX_SEGMENT_BYTES) {
      throw invalid(text, "a name has over " + MAX_SEGMENT_BYTES + " bytes");
    }
  }

  private static int utf8Length(String text, String part) throws FerryException {
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(part));
      return utf8.remaining();
    } catch (CharacterCodingException e) {
      throw new FerryException(
          ErrorKind.INVALID_PATH, "invalid path '" + printable(text) + "': not valid Unicode", e);
    }
  }

  private static FerryException invalid(String text, String why) {
    return new FerryException(
        ErrorKind.INVALID_PATH, "invalid path '" + printable(text) + "': " + why);
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .map(
            c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  @Override
  public String toString() {
    return value;
  }
}
