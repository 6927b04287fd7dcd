package dev.ferry.wire.internal.contract;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file over HTTP (RFC 9110, 14).
 *
 * @param first the position of the first byte, from 0
 * @param length the number of bytes; 0 for a range that has no byte of the file, which a server
 *     answers with status 416
 */
public record ByteRange(long first, long length) {
  private static final ByteRange UNSATISFIABLE = new ByteRange(0, 0);

  /** One range. The name of the unit is case-insensitive. */
  private static final Pattern ONE = Pattern.compile("(?i:bytes)=([0-9]*)-([0-9]*)");

  /** A {@code Content-Range} of a part whose file has a known size. */
  private static final Pattern CONTENT =
      Pattern.compile("(?i:bytes) ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");

  /** Numbers of more digits do not fit a long. No file is as large. */
  private static final int MAX_DIGITS = 18;

  /**
   * Parses the {@code Range} fields of a request.
   *
   * @param fields the values of all these fields
   * @param size bytes of the file, from 0
   * @return the range, clipped to the file; null for the whole file. RFC 9110 permits a server to
   *     ignore what it does not serve in parts: several ranges, another unit, and malformed fields
   */
  public static @Nullable ByteRange ofRequest(List<String> fields, long size) {
    Matcher range = ONE.matcher(fields.size() == 1 ? fields.get(0).strip() : "");
    if (!range.matches()) {
      return null;
    }
    String first = range.group(1);
    String last = range.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? null : suffix(number(last), size);
    }
    long from = number(first);
    long to = last.isEmpty() ? Long.MAX_VALUE : number(last);
    if (to < from) {
      return null;
    }
    return from >= size ? UNSATISFIABLE : new ByteRange(from, Math.min(to, size - 1) - from + 1);
  }

  private static @Nullable ByteRange suffix(long length, long size) {
    if (length == 0) {
      return UNSATISFIABLE;
    }
    // The last bytes of an empty file are the whole of it, which no Content-Range can state.
    return size == 0 ? null : new ByteRange(Math.max(0, size - length), Math.min(length, size));
  }

  private static long number(String digits) {
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    String significant = digits.substring(zeros);
    if (significant.length() > MAX_DIGITS) {
      return Long.MAX_VALUE;
    }
    return significant.isEmpty() ? 0 : Long.parseLong(significant);
  }

  /** The content of a 206 response. */
  public record Content(ByteRange range, long size) {
    /**
     * Parses a {@code Content-Range} field.
     *
     * @param field the field value; null if there was none
     * @return null if it states no part of a file of known size
     */
    public static @Nullable Content parse(@Nullable String field) {
      Matcher content = CONTENT.matcher(field == null ? "" : field.strip());
      if (!content.matches()) {
        return null;
      }
      long first = Long.parseLong(content.group(1));
      long last = Long.parseLong(content.group(2));
      long size = Long.parseLong(content.group(3));
      return first <= last && last < size
          ? new Content(new ByteRange(first, last - first + 1), size)
          : null;
    }
  }

  /** Creates the value of a {@code Range} field. The range is not empty. */
  public String requestField() {
    return "bytes=" + first + "-" + (first + length - 1);
  }

  /** Returns whether the range has no byte of the file. */
  public boolean isEmpty() {
    return length == 0;
  }

  /**
   * Creates the value of a {@code Content-Range} field.
   *
   * @param size bytes of the file
   */
  public String contentRange(long size) {
    return isEmpty()
        ? "bytes */" + size
        : "bytes " + first + "-" + (first + length - 1) + "/" + size;
  }
}
