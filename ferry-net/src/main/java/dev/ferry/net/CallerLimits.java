package dev.ferry.net;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much of a server a caller may use, on all ports together. Its text is for instance {@code
 * requests:20/s calls:4}.
 *
 * @param requests how many requests it may send; null for any number
 * @param calls how many of them may run at a time, at least 1
 */
public record CallerLimits(@Nullable RequestLimit requests, int calls) {
  /** No limits. */
  public static final CallerLimits NONE = new CallerLimits(null, Integer.MAX_VALUE);

  private static final String CALLS = "calls:";
  private static final Pattern FORM = Pattern.compile(CALLS + "([1-9]\\d{0,5})");

  /** Checks the values. */
  public CallerLimits {
    if (calls < 1) {
      throw new IllegalArgumentException(calls + " calls at a time are none");
    }
  }

  /** Returns whether a text is meant to be a limit and not a rule. */
  public static boolean isLimit(String text) {
    return RequestLimit.isLimit(text) || text.startsWith(CALLS);
  }

  /**
   * Adds a limit.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed, or there is
   *     one of its kind; the message is one line that quotes it
   */
  public CallerLimits with(String text) throws FerryException {
    if (RequestLimit.isLimit(text)) {
      RequestLimit limit = RequestLimit.parse(text);
      return new CallerLimits(only(text, requests == null, limit), calls);
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "'" + text + "' is no limit; give calls:N with the number of calls at a time");
    }
    int limit = Integer.parseInt(form.group(1));
    return new CallerLimits(requests, only(text, calls == Integer.MAX_VALUE, limit));
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
    return texts;
  }
}
