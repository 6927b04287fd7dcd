package dev.ferry.wire;

import dev.ferry.core.ByteSize;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much of a server a caller may use, on all ports together. Its text is for instance {@code
 * requests:20/s calls:4 bytes:50M/s}.
 *
 * @param requests how many requests it may send; null for any number
 * @param calls how many of them may run at a time, at least 1
 * @param bytesPerSecond how many bytes of files it may send and receive in a second, at least
 *     {@link #MIN_BYTES}; {@link #ANY_BYTES} for any number
 */
public record CallerLimits(@Nullable RequestRate requests, int calls, long bytesPerSecond) {
  /** No limit of bytes per second. */
  public static final long ANY_BYTES = Long.MAX_VALUE;

  /**
   * The lowest limit of bytes per second. A client waits a minute at most until 16 MiB that it has
   * sent are taken.
   */
  public static final long MIN_BYTES = 512 * 1024;

  /** No limits. */
  public static final CallerLimits NONE = new CallerLimits(null, Integer.MAX_VALUE, ANY_BYTES);

  private static final String CALLS = "calls:";
  private static final String BYTES = "bytes:";
  private static final String PER_SECOND = "/s";
  private static final Pattern FORM = Pattern.compile(CALLS + "([1-9]\\d{0,5})");

  /** The limits of the uploads of an hour or a day that earlier builds had. */
  private static final List<String> GONE = List.of("files:", "total:");

  /** Checks the values. */
  public CallerLimits {
    if (calls < 1) {
      throw new IllegalArgumentException(calls + " calls at a time are none");
    }
    if (bytesPerSecond < MIN_BYTES) {
      throw new IllegalArgumentException(bytesPerSecond + " bytes a second are too few");
    }
  }

  /** Returns whether a text is meant to be a limit and not a rule. */
  public static boolean isLimit(String text) {
    return text.startsWith(RequestRate.PREFIX)
        || text.startsWith(CALLS)
        || text.startsWith(BYTES)
        || isGone(text);
  }

  private static boolean isGone(String text) {
    return GONE.stream().anyMatch(text::startsWith);
  }

  /**
   * Adds a limit.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed, or there is
   *     one of its kind; the message is one line that quotes it
   */
  public CallerLimits with(String text) throws FerryException {
    if (text.startsWith(RequestRate.PREFIX)) {
      RequestRate rate = RequestRate.parse(text);
      return new CallerLimits(only(text, requests == null, rate), calls, bytesPerSecond);
    }
    if (text.startsWith(BYTES)) {
      long limit = parseBytes(text);
      return new CallerLimits(requests, calls, only(text, bytesPerSecond == ANY_BYTES, limit));
    }
    if (isGone(text)) {
      throw malformed(
          text, "is no longer a limit; leave it out, and use quotas of the file system");
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw noLimit(text, "give calls:N with the number of calls at a time");
    }
    int limit = Integer.parseInt(form.group(1));
    return new CallerLimits(
        requests, only(text, calls == Integer.MAX_VALUE, limit), bytesPerSecond);
  }

  private static long parseBytes(String text) throws FerryException {
    if (!text.endsWith(PER_SECOND)) {
      throw noLimit(text, "give bytes:SIZE/s, such as bytes:50M/s");
    }
    long limit;
    try {
      limit = ByteSize.parse(text.substring(BYTES.length(), text.length() - PER_SECOND.length()));
    } catch (IllegalArgumentException e) {
      throw noLimit(text, "give bytes:SIZE/s, such as bytes:50M/s");
    }
    if (limit < MIN_BYTES || limit == ANY_BYTES) {
      throw noLimit(text, "give bytes:512K/s or more; clients would take less for a stall");
    }
    return limit;
  }

  static FerryException noLimit(String text, String remedy) {
    return malformed(text, "is not a limit; " + remedy);
  }

  private static FerryException malformed(String text, String what) {
    return new FerryException(ErrorKind.INVALID_REQUEST, "'" + PlainText.of(text) + "' " + what);
  }

  private static <T> T only(String text, boolean first, T limit) throws FerryException {
    if (first) {
      return limit;
    }
    throw new FerryException(
        ErrorKind.INVALID_REQUEST, "'" + text + "' is a second limit of its kind; leave it out");
  }

  /** Returns the texts of the limits. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (requests != null) {
      texts.add(requests.toString());
    }
    if (calls < Integer.MAX_VALUE) {
      texts.add(CALLS + calls);
    }
    if (bytesPerSecond != ANY_BYTES) {
      texts.add(BYTES + ByteSize.shortest(bytesPerSecond) + PER_SECOND);
    }
    return texts;
  }
}
