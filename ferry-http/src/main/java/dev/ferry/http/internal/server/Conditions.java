package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entity tags of files, and the conditions of requests on them (RFC 9110, 8.8.3 and 13).
 *
 * <p>Dates have only seconds. So they count only without the entity tags that say more, and a file
 * that changes twice in a second may pass for the older one. A file that is replaced may get an
 * earlier time, since uploads can set it. So a file counts as unmodified since a date only if the
 * date is its own, to the second.
 */
final class Conditions {
  private static final Pattern TAG =
      Pattern.compile("(?<weak>W/)?(?<opaque>\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")");

  /** The three forms of a date (RFC 9110, 5.6.7). Netty's parser also accepts much else. */
  private static final Pattern DATE =
      Pattern.compile(
          "[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT"
              + "|[A-Z][a-z]{5,8}, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9:]{8} GMT"
              + "|[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [0-9]{4}");

  private static final String ANY = "*";

  private Conditions() {}

  /**
   * Returns the strong entity tag of a file: the {@link FileFacts#version version} of its facts.
   * Entity tags must differ by content coding (RFC 9110, 8.8.3.3).
   *
   * @return null if the store does not know the version
   */
  static @Nullable String entityTag(FileFacts facts, boolean gzip) {
    return facts.version() == null ? null : '"' + facts.version() + (gzip ? "-gzip" : "") + '"';
  }

  /**
   * Evaluates the conditions of a GET or HEAD request, other than {@code If-Range}. Dates that are
   * malformed are ignored.
   *
   * @return whether the response is 304, because the client has what it would get
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if the request is for another
   *     version
   */
  static boolean notModified(HttpHeaders fields, FileFacts facts, boolean gzip)
      throws FerryException {
    String tag = entityTag(facts, gzip);
    if (fields.contains(HttpHeaderNames.IF_MATCH)) {
      if (!matches(fields.getAll(HttpHeaderNames.IF_MATCH), tag, false)) {
        throw mismatch(facts.name(), "If-Match");
      }
    } else {
      Instant unmodified = date(fields, HttpHeaderNames.IF_UNMODIFIED_SINCE);
      if (unmodified != null && !seconds(facts).equals(unmodified)) {
        throw mismatch(facts.name(), "If-Unmodified-Since");
      }
    }
    if (fields.contains(HttpHeaderNames.IF_NONE_MATCH)) {
      return matches(fields.getAll(HttpHeaderNames.IF_NONE_MATCH), tag, true);
    }
    return seconds(facts).equals(date(fields, HttpHeaderNames.IF_MODIFIED_SINCE));
  }

  /**
   * Returns the modification time as {@code Last-Modified} states it. One that is not known equals
   * no date: the file may have changed.
   */
  private static Instant seconds(FileFacts facts) {
    Instant time = facts.lastModified();
    return time.equals(FileFacts.UNKNOWN_TIME) ? Instant.MAX : time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Returns the date of a field; null if it is absent, several or malformed. */
  private static @Nullable Instant date(HttpHeaders fields, CharSequence name) {
    if (!fields.contains(name)) {
      return null;
    }
    String value = String.join(", ", fields.getAll(name)).strip();
    Date date = DATE.matcher(value).matches() ? DateFormatter.parseHttpDate(value) : null;
    return date == null ? null : date.toInstant();
  }

  /** Returns whether a request is for a file that does not exist yet. */
  static boolean createsOnly(HttpHeaders fields) {
    return isAny(fields.getAll(HttpHeaderNames.IF_NONE_MATCH));
  }

  /**
   * Evaluates {@code If-Range}: whether a part may be sent. A date never permits one: it has only
   * seconds, so the part could be of another version than what the client has (RFC 9110, 13.1.5).
   */
  static boolean permitRange(HttpHeaders fields, FileFacts facts) {
    List<String> conditions = fields.getAll(HttpHeaderNames.IF_RANGE);
    return conditions.isEmpty()
        || (conditions.size() == 1 && conditions.get(0).strip().equals(entityTag(facts, false)));
  }

  /**
   * Evaluates the conditions of a request that replaces, moves or deletes a file. {@code If-Match}
   * accepts the entity tag of either content coding, since the request is for the file and not for
   * one of its codings.
   *
   * @param options the other conditions, with {@code If-None-Match: *} as {@code createOnly}
   * @return the conditions that must still be true when the file is changed
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if a condition is false now, or
   *     with {@link ErrorKind#INVALID_REQUEST} if {@code If-Unmodified-Since} counts and is no
   *     date, or if {@code If-None-Match} has {@code *} and more
   */
  static CreateOptions ofChange(
      HttpHeaders fields, StorePath path, FileStore store, CreateOptions options)
      throws FerryException {
    List<String> match = fields.getAll(HttpHeaderNames.IF_MATCH);
    List<String> noneMatch =
        options.createOnly() ? List.of() : fields.getAll(HttpHeaderNames.IF_NONE_MATCH);
    boolean dated = match.isEmpty() && fields.contains(HttpHeaderNames.IF_UNMODIFIED_SINCE);
    if (match.isEmpty() && noneMatch.isEmpty() && !dated) {
      return options;
    }
    if (!isAny(noneMatch)
        && TAG.matcher(String.join(",", noneMatch)).replaceAll("").contains(ANY)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, path + ": If-None-Match has * and more; give only *");
    }
    Instant unmodified = dated ? date(fields, HttpHeaderNames.IF_UNMODIFIED_SINCE) : null;
    if (dated && unmodified == null) {
      // Ignoring it could lose what another client has stored.
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": If-Unmodified-Since is not a date; give that of Last-Modified");
    }
    FileFacts now = store.exists(path) ? store.stat(path, false) : null;
    String plain = now == null ? null : entityTag(now, false);
    String gzip = now == null ? null : entityTag(now, true);
    if (!match.isEmpty()
        && (now == null || !(matches(match, plain, false) || matches(match, gzip, false)))) {
      throw mismatch(path.value(), "If-Match");
    }
    if (unmodified != null && now != null && !seconds(now).equals(unmodified)) {
      throw mismatch(path.value(), "If-Unmodified-Since");
    }
    if (now != null && (matches(noneMatch, plain, true) || matches(noneMatch, gzip, true))) {
      throw mismatch(path.value(), "If-None-Match");
    }
    if (unmodified == null && (match.isEmpty() || isAny(match))) {
      return options;
    }
    return now == null ? options.withCreateOnly(true) : options.withReplaced(now.version());
  }

  private static FerryException mismatch(String name, String field) {
    return new FerryException(
        ErrorKind.VERSION_MISMATCH,
        name + ": its present version does not match " + field + "; request the file again");
  }

  private static boolean isAny(List<String> fields) {
    return fields.size() == 1 && fields.get(0).strip().equals(ANY);
  }

  /**
   * Returns whether a list of entity tags has the tag of an existing file.
   *
   * @param weakly whether weak entity tags count (weak comparison, RFC 9110, 8.8.3.2)
   */
  private static boolean matches(List<String> fields, @Nullable String tag, boolean weakly) {
    if (isAny(fields)) {
      return true;
    }
    for (String field : fields) {
      Matcher listed = TAG.matcher(field);
      while (listed.find()) {
        if (listed.group("opaque").equals(tag) && (weakly || listed.group("weak") == null)) {
          return true;
        }
      }
    }
    return false;
  }
}
