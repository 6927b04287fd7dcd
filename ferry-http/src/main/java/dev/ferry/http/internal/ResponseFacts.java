package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Extracts the facts of files from responses. */
public final class ResponseFacts {
  private static final Pattern STRONG_TAG = Pattern.compile("\"[\\x21\\x23-\\x7e]+\"");

  private static final String GZIP_SUFFIX = "-gzip";

  private ResponseFacts() {}

  /** Returns whether the body is compressed. */
  public static boolean isGzip(Fields fields, String name) throws FerryException {
    String coding = fields.get("Content-Encoding");
    if (coding == null || coding.equalsIgnoreCase("identity")) {
      return false;
    }
    if (coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip")) {
      return true;
    }
    throw new FerryException(
        ErrorKind.INTERNAL, name + ": the server sent the unknown Content-Encoding " + coding);
  }

  /** Returns the unencoded file size in bytes; -1 if the response does not state it. */
  public static long size(Fields fields, boolean encoded) {
    String value = encoded ? null : fields.get("Content-Length");
    if (value == null) {
      // Also of a body that is chunked so that its digest can follow.
      value = fields.get(HttpRoutes.UNENCODED_LENGTH);
    }
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  public static FileFacts facts(Fields fields, String name) throws FerryException {
    boolean directory = HttpRoutes.YES.equals(fields.get(HttpRoutes.DIRECTORY));
    long size = directory ? 0 : Math.max(0, size(fields, isGzip(fields, name)));
    String leftOut = fields.get(HttpRoutes.LEFT_OUT);
    return new FileFacts(
            name,
            size,
            lastModified(fields),
            directory,
            null,
            null,
            version(fields),
            leftOut == null ? null : HttpRoutes.leftOut(leftOut),
            mode(fields),
            null)
        .withDigests(digests(fields));
  }

  /**
   * Returns the version of a file that its strong entity tag states; null if it has none. The tag
   * of a gzip body is that of the file and a suffix.
   */
  public static @Nullable String version(Fields fields) {
    String tag = fields.get("ETag");
    if (tag == null || !STRONG_TAG.matcher(tag).matches()) {
      return null;
    }
    String version = tag.substring(1, tag.length() - 1);
    if (fields.get("Content-Encoding") == null) {
      return version;
    }
    return version.endsWith(GZIP_SUFFIX)
        ? version.substring(0, version.length() - GZIP_SUFFIX.length())
        : null;
  }

  /** Returns the permissions; null if the server does not state them. */
  public static @Nullable Integer mode(Fields fields) {
    String field = fields.get(HttpRoutes.MODE);
    return field == null ? null : HttpRoutes.mode(field);
  }

  /** Whether a Ferry server says something of a file, in fields that only Ferry has. */
  static boolean isFerrys(Fields fields) {
    return fields.get(HttpRoutes.LAST_MODIFIED) != null
        || fields.get(HttpRoutes.MODE) != null
        || fields.get(HttpRoutes.UNENCODED_LENGTH) != null;
  }

  /** Whether the digest of the file is announced to follow the body. */
  static boolean digestFollows(Fields fields) {
    String trailer = fields.get("Trailer");
    return trailer != null
        && trailer
            .toLowerCase(Locale.ROOT)
            .contains(HttpRoutes.UNENCODED_DIGEST.toLowerCase(Locale.ROOT));
  }

  /** Returns the digests of the file that the response states. */
  public static List<Digest> digests(Fields fields) throws FerryException {
    return HttpRoutes.digests(fields.get(HttpRoutes.UNENCODED_DIGEST));
  }

  /**
   * Returns the modification time: in milliseconds from Ferry servers, in seconds from others, or
   * {@link FileFacts#UNKNOWN_TIME} if it is absent.
   */
  public static Instant lastModified(Fields fields) {
    try {
      String precise = fields.get(HttpRoutes.LAST_MODIFIED);
      if (precise != null) {
        return HttpRoutes.time(precise);
      }
      String field = fields.get("Last-Modified");
      return field == null
          ? FileFacts.UNKNOWN_TIME
          : DateTimeFormatter.RFC_1123_DATE_TIME.parse(field, Instant::from);
    } catch (DateTimeException e) {
      // As if the server did not state it.
      return FileFacts.UNKNOWN_TIME;
    }
  }
}
