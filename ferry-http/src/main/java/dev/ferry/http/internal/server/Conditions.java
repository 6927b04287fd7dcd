package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entity tags of files, and the conditions of requests on them (RFC 9110, 8.8.3 and 13.1).
 * Dates in conditions are ignored, and so a date in {@code If-Range} never permits a part.
 */
final class Conditions {
  private static final Pattern TAG =
      Pattern.compile("(?<weak>W/)?(?<opaque>\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")");

  private static final String ANY = "*";

  private Conditions() {}

  /**
   * Returns the strong entity tag of a file: the {@link FileFacts#versionOf version} of its facts.
   * Entity tags must differ by content coding (RFC 9110, 8.8.3.3).
   *
   * @return null if the store does not know the version
   */
  static @Nullable String entityTag(FileFacts facts, boolean gzip) {
    return facts.version() == null ? null : '"' + facts.version() + (gzip ? "-gzip" : "") + '"';
  }

  /**
   * Evaluates {@code If-Match} and {@code If-None-Match} of a GET or HEAD request.
   *
   * @return whether the response is 304, because the client has what it would get
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if the request is for another
   *     version
   */
  static boolean notModified(HttpHeaders fields, FileFacts facts, boolean gzip)
      throws FerryException {
    String tag = entityTag(facts, gzip);
    if (fields.contains(HttpHeaderNames.IF_MATCH)
        && !matches(fields.getAll(HttpHeaderNames.IF_MATCH), tag, false)) {
      throw mismatch(facts.name(), "If-Match");
    }
    return fields.contains(HttpHeaderNames.IF_NONE_MATCH)
        && matches(fields.getAll(HttpHeaderNames.IF_NONE_MATCH), tag, true);
  }

  /** Returns whether a request is for a file that does not exist yet. */
  static boolean createsOnly(HttpHeaders fields) {
    String field = fields.get(HttpHeaderNames.IF_NONE_MATCH);
    return field != null && field.strip().equals(ANY);
  }

  /** Evaluates {@code If-Range}: whether a part may be sent. */
  static boolean permitRange(HttpHeaders fields, FileFacts facts) {
    List<String> conditions = fields.getAll(HttpHeaderNames.IF_RANGE);
    return conditions.isEmpty()
        || (conditions.size() == 1 && conditions.get(0).strip().equals(entityTag(facts, false)));
  }

  /**
   * Evaluates {@code If-Match} and {@code If-None-Match} of a request that replaces, moves or
   * deletes a file. {@code If-Match} accepts the entity tag of either content coding, since the
   * request is for the file and not for one of its codings.
   *
   * @param options the other conditions, with {@code If-None-Match: *} as {@code createOnly}
   * @return the conditions that must still be true when the file is changed
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if a condition is false now
   */
  static CreateOptions ofChange(
      HttpHeaders fields, StorePath path, FileStore store, CreateOptions options)
      throws FerryException {
    List<String> match = fields.getAll(HttpHeaderNames.IF_MATCH);
    List<String> noneMatch =
        options.createOnly() ? List.of() : fields.getAll(HttpHeaderNames.IF_NONE_MATCH);
    if (match.isEmpty() && fields.contains(HttpHeaderNames.IF_UNMODIFIED_SINCE)) {
      // Ignoring it could lose what another client has stored.
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": If-Unmodified-Since is not evaluated; use If-Match with its ETag");
    }
    if (match.isEmpty() && noneMatch.isEmpty()) {
      return options;
    }
    FileFacts now = store.exists(path) ? store.stat(path, false) : null;
    String plain = now == null ? null : entityTag(now, false);
    String gzip = now == null ? null : entityTag(now, true);
    if (now != null && (matches(noneMatch, plain, true) || matches(noneMatch, gzip, true))) {
      throw mismatch(path.value(), "If-None-Match");
    }
    if (match.isEmpty()) {
      return options;
    }
    if (now == null || !(matches(match, plain, false) || matches(match, gzip, false))) {
      throw mismatch(path.value(), "If-Match");
    }
    return isAny(match) ? options : options.withReplaced(now.version());
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
