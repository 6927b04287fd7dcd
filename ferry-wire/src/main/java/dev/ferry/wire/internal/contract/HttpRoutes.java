package dev.ferry.wire.internal.contract;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.UploadId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Files over HTTP.
 *
 * <ul>
 *   <li>{@code GET /files/{path}}: the file, with Content-Length, or chunked with {@code
 *       Content-Encoding: gzip} if the request accepts it; with {@code Want-Unencoded-Digest:
 *       crc32c=10} or {@code sha-256=10} the server computes its digest while it sends, and with
 *       {@code TE: trailers} sends it as a trailer field if the body is gzip, over TLS or over
 *       HTTP/2; with a {@code Range} of one part, that part, uncompressed, with status 206, or 416
 *       if it has no byte of the file (see {@link ByteRange}); a directory is status 301, to its
 *       list;
 *   <li>{@code HEAD /files/{path}}: the facts of the file, whatever {@code Range} says; with {@code
 *       Want-Unencoded-Digest} also its digest, for which the server may have to read the whole
 *       file, and does so with {@code Cache-Control: no-cache}, with which no response states a
 *       digest that the server remembers; for a directory, {@link #DIRECTORY} and status 301, or
 *       200 if the path ends with a slash;
 *   <li>{@code PUT /files/{path}}: stores the body, plain or with {@code Content-Encoding: gzip},
 *       whose unencoded size {@link #UNENCODED_LENGTH} announces; status 201 for a new file and 204
 *       for a replaced one; with {@code If-None-Match: *}, an existing file is not replaced (412),
 *       and {@code *} beside entity tags is status 400; with {@code If-Match} or {@code
 *       If-Unmodified-Since}, only that version is replaced (412), also if the file changes during
 *       the upload; with {@link #MAKE_PARENTS}, missing parent directories are created, which are
 *       otherwise status 404;
 *   <li>{@code PUT} and {@code PATCH} with {@code Trailer: Unencoded-Digest}: the digest of the
 *       file is in a trailer field, so that a client reads the file once; the server computes that
 *       of {@code Want-Unencoded-Digest}, or CRC-32C, while it receives. Without the field the file
 *       is not stored, with status 400;
 *   <li>{@code GET /files/} and {@code GET /files/{directory}/}: a JSON array of {@code name, size,
 *       lastModified, directory} and, if they are known, {@code mode}, {@code link} with the target
 *       of a symbolic link, and {@code sha256} in hexadecimal; in the order of the Unicode code
 *       points of the names, and sent as it is read. Entries that cannot be transferred have {@code
 *       leftOut} with the reason ({@link dev.ferry.core.FileFacts.LeftOut} in lower case). If a
 *       listing fails midway, the response is truncated and is not valid JSON. With the query
 *       {@code recursive}, also the entries of all directories below it, those of a directory
 *       behind its own entry, and {@link #RECURSIVE} in the head; a directory whose entries are not
 *       among them has {@code leftOut};
 *   <li>{@code DELETE /files/{path}}: deletes a file or an empty directory, with status 204; a
 *       directory that is not empty is status 409 or, if the path ends with a slash, deleted with
 *       all that is in it; what could not be deleted is named in a status 207;
 *   <li>{@code MOVE /files/{path}} (RFC 4918, 9.9) with {@link #DESTINATION}: moves a file or
 *       directory, with status 201, or 204 if it replaced a file; the target is a path, or a URI
 *       with the host of the request or a host name of the server; an existing target is status
 *       412, unless {@link #OVERWRITE} is {@code T} and both are files; without this field nothing
 *       is replaced, unlike in WebDAV;
 *   <li>{@code COPY /files/{path}} (RFC 4918, 9.8), with the same fields and statuses, and {@code
 *       Depth}; with {@code Overwrite: T} both replace a directory if {@link #DESTINATION} ends
 *       with a slash;
 *   <li>{@code PROPFIND}, {@code PROPPATCH}, {@code LOCK}, {@code UNLOCK} and {@code OPTIONS} of
 *       WebDAV, as docs/webdav.md has them; {@link #HEALTH}; {@code POST} {@link #SIGN_OUT};
 *   <li>{@code MKCOL /files/{path}} (RFC 4918, 9.3): makes a directory, with status 201; an
 *       existing one is status 405, and a missing parent directory 409; with {@link #MAKE_PARENTS},
 *       neither is an error;
 *   <li>{@code HEAD}, {@code PATCH} and {@code DELETE /uploads/{id}}: says how far an upload is,
 *       appends to it, and discards it (draft-ietf-httpbis-resumable-upload, interop versions 6 to
 *       8). An upload that began with {@link #UPLOAD_COMPLETE} can be continued; it has no content
 *       coding. Each request may state the digest of the whole file; a {@link #CONTENT_DIGEST} of a
 *       part is status 400, since parts are not compared.
 * </ul>
 *
 * <p>Responses have the strong entity tag of the file, which differs for each version and content
 * coding ({@link dev.ferry.core.FileFacts#version}), and the {@code Date}. The conditions of RFC
 * 9110 are evaluated in its order (13.2.2): {@code If-Match} or else {@code If-Unmodified-Since}
 * (412), also for {@code PUT}, {@code DELETE} and {@code MOVE}; {@code If-None-Match} or else, for
 * {@code GET} and {@code HEAD}, {@code If-Modified-Since} (304); and {@code If-Range}, with which
 * only the entity tag permits a part, and no date. What is no date is ignored, but with {@code
 * PUT}, {@code DELETE} and {@code MOVE} status 400. A file is unmodified only since its own {@code
 * Last-Modified}, to the second, since a file that replaces it may be older. Dates do not tell two
 * changes within one second apart, as entity tags do.
 *
 * <p>The digest is the {@code Unencoded-Digest} field of draft-ietf-httpbis-unencoded-digest: the
 * digest of the whole file before any content coding, also in the response with a part. {@link
 * #REPR_DIGEST} and {@link #CONTENT_DIGEST} of RFC 9530 are digests of the gzip stream if there is
 * one, which depends on codec and level. So they are not sent, and compared only in requests
 * without a content coding.
 *
 * <p>Errors are problem details (RFC 9457) with the {@code type} of {@link Errors#problemType}.
 */
public final class HttpRoutes {
  /** Path prefix of files. */
  public static final String FILES = "/files/";

  /**
   * Whether the port serves requests: status 200 for everyone, and 503 while it shuts down. It says
   * nothing of files.
   */
  public static final String HEALTH = "/health";

  /**
   * Makes a browser forget the password of its user: status 401, and 200 for a name with an empty
   * password, which has then taken its place. Needs no user.
   */
  public static final String SIGN_OUT = "/sign-out";

  /**
   * Digests of the unencoded file, a structured field: {@code crc32c=:BASE64:, sha-256=:BASE64:}. A
   * server that receives both compares the SHA-256.
   */
  public static final String UNENCODED_DIGEST = "Unencoded-Digest";

  /**
   * Digests of the representation (RFC 9530), of the same form. Without a content coding, they are
   * digests of the file.
   */
  public static final String REPR_DIGEST = "Repr-Digest";

  /** Digests of the body (RFC 9530), of the same form. */
  public static final String CONTENT_DIGEST = "Content-Digest";

  /** Requests {@link #UNENCODED_DIGEST}, with preferences: {@code crc32c=10}. */
  public static final String WANT_UNENCODED_DIGEST = "Want-Unencoded-Digest";

  /**
   * {@code ?1} in the response to a {@code HEAD} request with {@code TE: trailers}: an upload may
   * have its digest in a trailer field, which arrives. No proxy on the way has taken {@code TE}
   * away, as those do that would take trailer fields away.
   */
  public static final String TRAILERS = "Ferry-Trailers";

  /**
   * Size in bytes of the unencoded file if the body is encoded or chunked. In a response it is for
   * progress displays. In a request it announces the size, and the file must have this size.
   */
  public static final String UNENCODED_LENGTH = "Ferry-Unencoded-Length";

  /**
   * Modification time of a file in ISO 8601, to the millisecond; Last-Modified has only seconds. In
   * a {@code PUT}, the new file gets this time.
   */
  public static final String LAST_MODIFIED = "Ferry-Last-Modified";

  /**
   * The permissions of owner, group and others, three octal digits such as {@code 640}; absent if
   * they are not known. In a {@code PUT}, those of the file of which the new one is a copy: it has
   * no others, and not those that the umask of the server takes away. A file that replaces another
   * one keeps the permissions of that, and who may read it may also execute it if the field says
   * so. In a {@code MKCOL} the same of the directories that it makes.
   */
  public static final String MODE = "Ferry-Mode";

  /** The {@link #MODE} of the directories that a {@code PUT} with {@link #MAKE_PARENTS} makes. */
  public static final String FOLDER_MODE = "Ferry-Folder-Mode";

  /**
   * The target of a symbolic link, percent-encoded. A {@code PUT} with it and without a body makes
   * the link, and the directories for it that are missing, with status 201; with {@link #OVERWRITE}
   * {@code T} it may replace a file or another link. The response has the field, too.
   */
  public static final String LINK = "Ferry-Link";

  /** {@code ?1} in the response with the list of a whole tree. */
  public static final String RECURSIVE = "Ferry-Recursive";

  /** The query that asks for the list of a whole tree. */
  public static final String RECURSIVE_QUERY = "recursive";

  /** {@code ?1} in the response to a {@code HEAD} request for a directory. */
  public static final String DIRECTORY = "Ferry-Directory";

  /**
   * Why what a {@code HEAD} request asks for is neither a file nor a directory that can be
   * transferred: the name of a {@link dev.ferry.core.FileFacts.LeftOut} in lower case.
   */
  public static final String LEFT_OUT = "Ferry-Left-Out";

  /** {@code ?1} in a {@code PUT} or {@code MKCOL} request to create missing parent directories. */
  public static final String MAKE_PARENTS = "Ferry-Make-Parents";

  /** The new path of a {@code MOVE}: {@code /files/...}, or the whole URI (RFC 4918, 10.3). */
  public static final String DESTINATION = "Destination";

  /**
   * What the caller may do in the folder of a list and below it: names of {@link
   * dev.ferry.core.StoreRule.Permission} in lower case, with spaces between them.
   */
  public static final String PERMISSIONS = "Ferry-Permissions";

  /** {@code T} in a {@code MOVE} request to replace a file (RFC 4918, 10.6). */
  public static final String OVERWRITE = "Overwrite";

  /** The structured field value for true (RFC 9651). */
  public static final String YES = "?1";

  /** The structured field value for false. */
  public static final String NO = "?0";

  /** The problem type of an error, for responses to {@code HEAD}, which have no body. */
  public static final String ERROR = "Ferry-Error";

  /** The detail of an error as a display string (RFC 9651), for responses to {@code HEAD}. */
  public static final String ERROR_DETAIL = "Ferry-Error-Detail";

  /** Path prefix of uploads that can be continued. Their ids follow, in hexadecimal. */
  public static final String UPLOADS = "/uploads/";

  /**
   * Whether a request ends an upload, {@code ?1} or {@code ?0}
   * (draft-ietf-httpbis-resumable-upload, as the other fields of uploads). With this field in a
   * {@code PUT} or {@code POST} of a file, the upload can be continued.
   */
  public static final String UPLOAD_COMPLETE = "Upload-Complete";

  /** How many bytes of an upload have arrived. */
  public static final String UPLOAD_OFFSET = "Upload-Offset";

  /** Bytes of the whole file of an upload. */
  public static final String UPLOAD_LENGTH = "Upload-Length";

  /** The version of the draft that a client knows: a status 104 needs one that the server knows. */
  public static final String UPLOAD_VERSION = "Upload-Draft-Interop-Version";

  /**
   * The id that the client chooses for an upload, in hexadecimal; without it the server chooses
   * one. A client that cannot read the status 104 so knows the URI of its upload.
   */
  public static final String UPLOAD_ID = "Ferry-Upload-Id";

  /** Media type of the rest of an upload. */
  public static final String PARTIAL_UPLOAD = "application/partial-upload";

  /** Media type of problem details. */
  public static final String PROBLEM_JSON = "application/problem+json";

  private static final int MODE_DIGITS = 3;
  private static final int BITS_OF_A_DIGIT = 3;
  private static final int LAST_DIGIT = 7;

  private static final String SECONDS = "0000-00-00T00:00:00Z";
  private static final String MILLIS = "0000-00-00T00:00:00.000Z";

  private HttpRoutes() {}

  /** The raw URI path of a file, for instance {@code /files/a%20b/c.csv}. */
  public static String uriPath(StorePath path) {
    StringBuilder uri = new StringBuilder(FILES);
    String separator = "";
    for (String segment : path.value().split("/", -1)) {
      // URLEncoder encodes forms, with '+' for a space; in a path it must be %20.
      uri.append(separator)
          .append(URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"));
      separator = "/";
    }
    return uri.toString();
  }

  /**
   * Returns a time that is written as {@link Instant} writes it, such as {@code
   * 2026-01-31T12:00:00.123Z}. Does what {@link Instant#parse} does, whose parser takes 3 ms of a
   * short command, and much of the list of a large folder.
   *
   * @throws DateTimeException if it is no time, or so far from now that no file has it
   */
  public static Instant time(String text) {
    boolean toMillis = text.length() == MILLIS.length();
    if (!isLike(text, toMillis ? MILLIS : SECONDS)) {
      return countable(Instant.parse(text));
    }
    LocalDateTime time =
        LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19),
            toMillis ? number(text, 20, 23) * 1_000_000 : 0);
    return time.toInstant(ZoneOffset.UTC);
  }

  /** Returns a time whose milliseconds since 1970 fit a long, as those of files do. */
  private static Instant countable(Instant time) {
    try {
      long unused = time.toEpochMilli();
      return time;
    } catch (ArithmeticException e) {
      throw new DateTimeException(time + " is too far from now", e);
    }
  }

  /** Writes a time as {@link Instant} does, in a third of the time. */
  public static String timeField(Instant time) {
    LocalDateTime utc =
        LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
    return utc + (utc.getSecond() == 0 && utc.getNano() == 0 ? ":00Z" : "Z");
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  /** Whether a text has digits where a form has zeros, and is the same elsewhere. */
  private static boolean isLike(String text, String form) {
    if (text.length() != form.length()) {
      return false;
    }
    for (int i = 0; i < form.length(); i++) {
      char c = text.charAt(i);
      if (form.charAt(i) == '0' ? c < '0' || c > '9' : c != form.charAt(i)) {
        return false;
      }
    }
    // A leap second, and midnight as the end of a day.
    return number(text, 17, 19) < 60 && number(text, 11, 13) < 24;
  }

  /** The field {@link #LINK} of a target. */
  public static String linkField(String target) {
    return URLEncoder.encode(target, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * Returns the target in the field {@link #LINK}.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is not percent-encoded
   */
  public static String linkTarget(String field) throws FerryException {
    try {
      return URLDecoder.decode(field.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, LINK + ": '" + field + "' is not percent-encoded", e);
    }
  }

  /** The URI path of an upload. */
  public static String uploadPath(UploadId id) {
    return UPLOADS + id.toHex();
  }

  /**
   * Parses the URI path of an upload.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless it has an id
   */
  public static UploadId uploadId(String rawPath) throws FerryException {
    return UploadId.parse(rawPath.substring(UPLOADS.length()));
  }

  /**
   * Parses the raw URI path of a file.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH}, or {@link ErrorKind#NOT_FOUND} if
   *     the path is outside {@link #FILES}
   */
  public static StorePath storePath(String rawPath) throws FerryException {
    return StorePath.parse(decode(rawPath));
  }

  /** Returns the word of a reason. */
  public static String leftOut(LeftOut reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the reason of a word; that of a later version is one of which nothing is known. */
  public static LeftOut leftOut(String word) {
    try {
      return LeftOut.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return LeftOut.UNREADABLE;
    }
  }

  /** Returns the value of {@link #MODE}. */
  public static String modeField(int mode) {
    char[] digits = new char[MODE_DIGITS];
    for (int i = 0; i < MODE_DIGITS; i++) {
      digits[i] = (char) ('0' + (mode >> BITS_OF_A_DIGIT * (MODE_DIGITS - 1 - i) & LAST_DIGIT));
    }
    return new String(digits);
  }

  /** Parses the value of {@link #MODE}; null if it is no such value. */
  public static @Nullable Integer mode(String field) {
    int mode = 0;
    for (int i = 0; i < field.length(); i++) {
      int digit = field.charAt(i) - '0';
      if (digit < 0 || digit > 7) {
        return null;
      }
      mode = mode << 3 | digit;
    }
    return field.length() == MODE_DIGITS ? (Integer) mode : null;
  }

  /** Parses the raw URI path of a directory, with or without a trailing {@code /}. */
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
      // Decode as Latin-1, in which each character is one byte, and then as UTF-8. URLDecoder would
      // replace invalid UTF-8, for instance overlong forms of '.', with U+FFFD instead of rejecting
      // it.
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

  /** Creates the value of an {@link #ERROR_DETAIL} field. Shortens long messages. */
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
   * Parses an {@link #ERROR_DETAIL} field.
   *
   * @param field the field value; null if there was none
   * @return the text; empty if the field is missing or malformed
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

  /** The keys of RFC 9530. */
  private static String key(Digest.Algorithm algorithm) {
    return switch (algorithm) {
      case CRC32C -> "crc32c";
      case SHA256 -> "sha-256";
    };
  }

  /** Creates the value of an {@link #UNENCODED_DIGEST} field. */
  public static String digestField(Digest... digests) {
    StringJoiner members = new StringJoiner(", ");
    for (Digest digest : digests) {
      String bytes = Base64.getEncoder().encodeToString(digest.toBytes());
      members.add(key(digest.algorithm()) + "=:" + bytes + ":");
    }
    return members.toString();
  }

  /**
   * Parses a digest of an {@link #UNENCODED_DIGEST} field.
   *
   * @param field the field value; null if there was none
   * @return null if the field has no member of the algorithm
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if this member is malformed
   */
  public static @Nullable Digest digest(@Nullable String field, Digest.Algorithm algorithm)
      throws FerryException {
    String value = member(field, key(algorithm));
    if (value == null) {
      return null;
    }
    try {
      if (value.length() > 2 && value.startsWith(":") && value.endsWith(":")) {
        byte[] bytes = Base64.getDecoder().decode(value.substring(1, value.length() - 1));
        return switch (algorithm) {
          case CRC32C -> Crc32c.of(bytes);
          case SHA256 -> Sha256.of(bytes);
        };
      }
    } catch (IllegalArgumentException e) {
      throw malformedDigest(field, algorithm, e);
    }
    throw malformedDigest(field, algorithm, null);
  }

  /** Parses the digests of all algorithms. The last is the strongest. */
  public static List<Digest> digests(@Nullable String field) throws FerryException {
    List<Digest> digests = new ArrayList<>();
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      Digest digest = digest(field, algorithm);
      if (digest != null) {
        digests.add(digest);
      }
    }
    return digests;
  }

  private static FerryException malformedDigest(
      @Nullable String field, Digest.Algorithm algorithm, @Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST,
        "digest '" + field + "' is not of the form " + key(algorithm) + "=:BASE64:",
        cause);
  }

  /** Creates the value of a {@link #WANT_UNENCODED_DIGEST} field. */
  public static String wantField(Digest.Algorithm algorithm) {
    return key(algorithm) + "=10";
  }

  /** Returns the algorithm that a {@link #WANT_UNENCODED_DIGEST} field prefers; null for none. */
  public static Digest.@Nullable Algorithm wantedDigest(@Nullable String field) {
    Digest.Algorithm wanted = null;
    int highest = 0;
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      String value = member(field, key(algorithm));
      int preference = value == null ? 0 : preference(value);
      if (preference > highest) {
        wanted = algorithm;
        highest = preference;
      }
    }
    return wanted;
  }

  private static int preference(String value) {
    boolean digit = value.length() == 1 && value.charAt(0) >= '0' && value.charAt(0) <= '9';
    return digit || value.equals("10") ? Integer.parseInt(value) : 1;
  }

  /**
   * Returns the value of a member of a dictionary (RFC 9651), without its parameters. Of equal keys
   * the last counts.
   *
   * @return the whole member if a space follows its key, which no value permits; null if there is
   *     none
   */
  private static @Nullable String member(@Nullable String field, String key) {
    String value = null;
    for (String member : field == null ? new String[0] : field.split(",", -1)) {
      String[] keyAndValue = member.strip().split("=", 2);
      if (keyAndValue.length == 2 && keyAndValue[0].strip().equals(key)) {
        value = keyAndValue[0].equals(key) ? keyAndValue[1].split(";", 2)[0] : member;
      }
    }
    return value;
  }
}
