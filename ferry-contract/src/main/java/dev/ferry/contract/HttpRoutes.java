package dev.ferry.contract;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Files over HTTP.
 *
 * <ul>
 *   <li>{@code GET /files/{path}}: the file, with Content-Length, or chunked and {@code
 *       Content-Encoding: gzip} if the request accepts it; with {@code Want-Unencoded-Digest:
 *       sha-256=10} the server computes its digest meanwhile;
 *   <li>{@code HEAD /files/{path}}: its facts alone; with {@code Want-Unencoded-Digest: sha-256=10}
 *       its digest too, at the price of reading the file; of a directory, with {@link #DIRECTORY};
 *   <li>{@code PUT /files/{path}}: stores the body, plain or {@code Content-Encoding: gzip}, of
 *       which {@link #UNENCODED_LENGTH} announces the size; 201 for a new file, 204 for a replaced
 *       one; {@code If-None-Match: *} refuses to replace; {@link #MAKE_PARENTS} makes the
 *       directories of the path that are missing, which are 404 without;
 *   <li>{@code GET /files/} and {@code GET /files/{directory}/}: a JSON array of {@code name, size,
 *       lastModified, directory} and, where it is known, {@code sha256} in hexadecimal; in the
 *       order of the names' Unicode code points, and sent as it is read. A list that fails in the
 *       middle is cut, and no JSON.
 * </ul>
 *
 * <p>The digest is the {@code Unencoded-Digest} field of draft-ietf-httpbis-unencoded-digest: that
 * of the file before any content coding. RFC 9530's {@code Repr-Digest} would be the digest of the
 * gzip stream, which differs by codec and level.
 *
 * <p>Errors are problem details (RFC 9457) with the {@code type} of {@link Errors#problemType}.
 */
public final class HttpRoutes {
  /** Where files live. */
  public static final String FILES = "/files/";

  /** Digest of the unencoded file, a structured field: {@code sha-256=:BASE64:}. */
  public static final String UNENCODED_DIGEST = "Unencoded-Digest";

  /** Asks for {@link #UNENCODED_DIGEST}: {@code sha-256=10}. */
  public static final String WANT_UNENCODED_DIGEST = "Want-Unencoded-Digest";

  /**
   * Bytes of the unencoded file where the body is encoded. In an answer for progress; in a request
   * it announces the size, and the file must have it.
   */
  public static final String UNENCODED_LENGTH = "Ferry-Unencoded-Length";

  /** When a file was last modified, to the millisecond (ISO 8601); Last-Modified has seconds. */
  public static final String LAST_MODIFIED = "Ferry-Last-Modified";

  /** {@code ?1} in the answer to a {@code HEAD} where the path names a directory. */
  public static final String DIRECTORY = "Ferry-Directory";

  /** {@code ?1} in a {@code PUT} that may make the directories of its path. */
  public static final String MAKE_PARENTS = "Ferry-Make-Parents";

  /** A structured field that says yes. */
  public static final String YES = "?1";

  /** The problem type of an error once more, for the answer to a {@code HEAD} has no body. */
  public static final String ERROR = "Ferry-Error";

  /** What an error says once more, for the same reason: a display string (RFC 9651). */
  public static final String ERROR_DETAIL = "Ferry-Error-Detail";

  /** Media type of an error. */
  public static final String PROBLEM_JSON = "application/problem+json";

  private static final String SHA_256 = "sha-256";

  private HttpRoutes() {}

  /** The raw path of a file's URI, for instance {@code /files/a%20b/c.csv}. */
  public static String uriPath(StorePath path) {
    StringBuilder uri = new StringBuilder(FILES);
    String separator = "";
    for (String segment : path.value().split("/", -1)) {
      // URLEncoder writes forms, where a space is '+'; in a path it is %20.
      uri.append(separator)
          .append(URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"));
      separator = "/";
    }
    return uri.toString();
  }

  /**
   * The file that a raw URI path names.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH}, or {@link ErrorKind#NOT_FOUND} for
   *     a path outside {@link #FILES}
   */
  public static StorePath storePath(String rawPath) throws FerryException {
    return StorePath.parse(decode(rawPath));
  }

  /** The directory that a raw URI path names; its last {@code /} may be missing. */
  public static StorePath directoryPath(String rawPath) throws FerryException {
    String text = decode(rawPath);
    boolean slash = text.length() > 1 && text.endsWith("/");
    return StorePath.parseDirectory(slash ? text.substring(0, text.length() - 1) : text);
  }

  private static String decode(String rawPath) throws FerryException {
    if (!rawPath.startsWith(FILES)) {
      throw new FerryException(ErrorKind.NOT_FOUND, rawPath + ": no such route; try " + FILES);
    }
    String raw = rawPath.substring(FILES.length());
    if (raw.toLowerCase(Locale.ROOT).contains("%2f")) {
      throw invalid(raw, "an encoded '/' is not allowed", null);
    }
    try {
      // By way of Latin-1, where a character is a byte: URLDecoder itself would turn what is not
      // UTF-8 (overlong forms of '.', for instance) into U+FFFD instead of refusing it.
      String bytes = URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
      ByteBuffer utf8 = StandardCharsets.ISO_8859_1.newEncoder().encode(CharBuffer.wrap(bytes));
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (IllegalArgumentException e) {
      throw invalid(raw, "bad percent-encoding", e);
    } catch (CharacterCodingException e) {
      throw invalid(raw, "it is not percent-encoded UTF-8", e);
    }
  }

  private static FerryException invalid(String raw, String why, @Nullable Throwable cause) {
    return new FerryException(ErrorKind.INVALID_PATH, "invalid path '" + raw + "': " + why, cause);
  }

  /** Value of an {@link #ERROR_DETAIL} field, cut where it is too long for one. */
  public static String detailField(String detail) {
    StringBuilder field = new StringBuilder("%\"");
    for (byte b : Errors.abbreviated(detail).getBytes(StandardCharsets.UTF_8)) {
      if (b < ' ' || b > '~' || b == '%' || b == '"') {
        field.append('%').append(HexFormat.of().toHexDigits(b));
      } else {
        field.append((char) b);
      }
    }
    return field.append('"').toString();
  }

  /**
   * The text of an {@link #ERROR_DETAIL} field.
   *
   * @param field the field's value; null where there was none
   * @return empty where there is no such field, or a malformed one
   */
  public static String detail(@Nullable String field) {
    if (field == null || field.length() < 3 || !field.startsWith("%\"") || !field.endsWith("\"")) {
      return "";
    }
    String encoded = field.substring(2, field.length() - 1);
    try {
      return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** Value of an {@link #UNENCODED_DIGEST} field. */
  public static String digestField(Sha256 digest) {
    return SHA_256 + "=:" + Base64.getEncoder().encodeToString(digest.toBytes()) + ":";
  }

  /**
   * The SHA-256 of an {@link #UNENCODED_DIGEST} field.
   *
   * @param field the field's value; null where there was none
   * @return null where the field has no member {@code sha-256}
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where it has a malformed one
   */
  public static @Nullable Sha256 digest(@Nullable String field) throws FerryException {
    if (field == null) {
      return null;
    }
    for (String member : field.split(",", -1)) {
      String[] keyAndValue = member.strip().split("=", 2);
      if (keyAndValue.length < 2 || !keyAndValue[0].equals(SHA_256)) {
        continue;
      }
      String value = keyAndValue[1];
      try {
        if (value.length() > 2 && value.startsWith(":") && value.endsWith(":")) {
          return Sha256.of(Base64.getDecoder().decode(value.substring(1, value.length() - 1)));
        }
      } catch (IllegalArgumentException e) {
        throw malformedDigest(field, e);
      }
      throw malformedDigest(field, null);
    }
    return null;
  }

  private static FerryException malformedDigest(String field, @Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST,
        UNENCODED_DIGEST + ": '" + field + "' is not of the form sha-256=:BASE64:",
        cause);
  }

  /** Whether a {@link #WANT_UNENCODED_DIGEST} field asks for SHA-256. */
  public static boolean wantsDigest(@Nullable String field) {
    if (field == null) {
      return false;
    }
    for (String member : field.split(",", -1)) {
      String m = member.strip();
      if (m.startsWith(SHA_256 + "=") && !m.equals(SHA_256 + "=0")) {
        return true;
      }
    }
    return false;
  }
}
