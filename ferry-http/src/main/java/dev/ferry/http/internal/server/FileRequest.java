package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.ByteRange;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed head of a request.
 *
 * @param rawPath the path of the URI, percent-encoded
 * @param query the query of the URI, percent-encoded; empty if there is none
 * @param headers the header fields
 * @param chunked whether the response may be chunked; HTTP/1.0 does not support it
 */
public record FileRequest(String rawPath, String query, HttpHeaders headers, boolean chunked) {
  /**
   * The absolute form, which clients send to proxies. Every server must accept it (RFC 9112,
   * 3.2.2).
   */
  private static final Pattern ABSOLUTE =
      Pattern.compile(
          "(?<scheme>https?)://(?<authority>[^/?#]*)(?<rest>.*)", Pattern.CASE_INSENSITIVE);

  private static final String INFINITY = "infinity";

  /** The parameter of a coding that is not to be sent. */
  private static final Pattern REFUSED = Pattern.compile("\\s*q\\s*=\\s*0(\\.0*)?\\s*");

  private static final Pattern QUERY = Pattern.compile("[\\x21\\x24-\\x7e]*");

  /** Limits the value below 10^18 bytes. */
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  /** Parses the head of a request. */
  public static FileRequest of(HttpRequest request) {
    String uri = request.uri();
    Matcher absolute = absolute(uri);
    if (absolute != null) {
      String rest = absolute.group("rest");
      uri = rest.startsWith("/") ? rest : "/" + rest;
    }
    int query = uri.indexOf('?');
    return new FileRequest(
        query < 0 ? uri : uri.substring(0, query),
        query < 0 ? "" : uri.substring(query + 1),
        request.headers(),
        request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0);
  }

  /** Returns the URI of a request without the base path. */
  static String without(BasePath base, String uri) {
    Matcher absolute = absolute(uri);
    if (absolute == null) {
      return base.without(uri);
    }
    String rest = absolute.group("rest");
    return uri.substring(0, uri.length() - rest.length()) + base.without(rest);
  }

  /** Returns the host and port in the URI; null if the URI is only a path. */
  static @Nullable String authority(HttpRequest request) {
    Matcher absolute = absolute(request.uri());
    return absolute == null ? null : absolute.group("authority");
  }

  /** Returns the parts of a URI in the absolute form; null if it has another one. */
  private static @Nullable Matcher absolute(String uri) {
    if (uri.startsWith("/")) {
      return null;
    }
    Matcher absolute = ABSOLUTE.matcher(uri);
    return absolute.matches() ? absolute : null;
  }

  /** Returns whether a request is about an upload that can be continued. */
  boolean isAboutUpload() {
    return rawPath.startsWith(HttpRoutes.UPLOADS);
  }

  /** Returns whether the path ends like a directory path. */
  public boolean namesDirectory() {
    return rawPath.endsWith("/");
  }

  /** Returns whether the list of a directory is that of the whole tree. */
  boolean recursive() {
    return query.equals(HttpRoutes.RECURSIVE_QUERY);
  }

  /** Returns the file that the path names. */
  public StorePath file() throws FerryException {
    return HttpRoutes.storePath(rawPath);
  }

  /** Returns the file or directory that the path names. */
  public StorePath fileOrDirectory() throws FerryException {
    if (rawPath.length() == HttpRoutes.FILES.length() - 1 && HttpRoutes.FILES.startsWith(rawPath)) {
      return StorePath.ROOT;
    }
    return namesDirectory() ? HttpRoutes.directoryPath(rawPath) : file();
  }

  /**
   * Returns the URI of a directory, with the query of a request for it. A query that has characters
   * that no URI has is left out.
   */
  static String directoryUri(StorePath path, HttpRequest request) {
    String uri = HttpRoutes.uriPath(path);
    int at = request.uri().indexOf('?');
    String query = at < 0 ? "" : request.uri().substring(at);
    return (uri.endsWith("/") ? uri : uri + "/") + (QUERY.matcher(query).matches() ? query : "");
  }

  /** Returns whether the response may be compressed. */
  public boolean acceptsGzip() {
    if (!chunked) {
      return false;
    }
    for (String field : headers.getAll(HttpHeaderNames.ACCEPT_ENCODING)) {
      for (String member : field.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] codingAndWeight = member.split(";", 2);
        if (isGzip(codingAndWeight[0].strip())) {
          return codingAndWeight.length < 2 || !REFUSED.matcher(codingAndWeight[1]).matches();
        }
      }
    }
    return false;
  }

  /** Returns whether the client takes trailer fields (RFC 9110, 6.5.1). */
  boolean acceptsTrailers() {
    return chunked && headers.containsValue(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS, true);
  }

  /** Returns the algorithm of the digest that follows the body in a trailer; null if none does. */
  Digest.@Nullable Algorithm followingDigest() {
    Digest.Algorithm wanted = wantedDigest();
    return !headers.containsValue(HttpHeaderNames.TRAILER, HttpRoutes.UNENCODED_DIGEST, true)
        ? null
        : wanted == null ? Digest.Algorithm.CRC32C : wanted;
  }

  /**
   * Returns the digest in a trailer section.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if there is none, or if it is
   *     malformed
   */
  static Digest followingDigest(HttpHeaders trailers) throws FerryException {
    List<String> fields = trailers.getAll(HttpRoutes.UNENCODED_DIGEST);
    List<Digest> digests = HttpRoutes.digests(String.join(", ", fields));
    if (digests.isEmpty()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          HttpRoutes.UNENCODED_DIGEST
              + ": is not in the trailer section, as Trailer says; send it there or in the head");
    }
    return digests.get(digests.size() - 1);
  }

  /** Returns the algorithm of the digest that the response should state; null for none. */
  public Digest.@Nullable Algorithm wantedDigest() {
    return HttpRoutes.wantedDigest(headers.get(HttpRoutes.WANT_UNENCODED_DIGEST));
  }

  /**
   * Returns whether a digest in the response must be of bytes that are read for it, and not one
   * that the server remembers.
   */
  boolean readsNow() {
    return headers.containsValue(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE, true);
  }

  /** Returns the strongest of the announced digests of the file; null if there is none. */
  public @Nullable Digest digest() throws FerryException {
    return digest(true);
  }

  /**
   * Returns the strongest of the announced digests of the file; null if there is none. The fields
   * of RFC 9530 count if the body has no content coding, and so consists of bytes of the file.
   *
   * @param whole whether the body is the whole file
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH} if two of them are different
   *     digests, or with {@link ErrorKind#INVALID_REQUEST} if one is malformed, or is that of a
   *     body that is only a part of the file
   */
  @Nullable Digest digest(boolean whole) throws FerryException {
    boolean plain = HttpHeaderValues.IDENTITY.contentEquals(coding());
    List<Digest> ofBody = plain ? digests(HttpRoutes.CONTENT_DIGEST) : List.of();
    if (!whole && !ofBody.isEmpty()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          HttpRoutes.CONTENT_DIGEST
              + ": a part of a file is not compared by itself; send "
              + HttpRoutes.REPR_DIGEST
              + ", the digest of the whole file");
    }
    List<Digest> digests = new ArrayList<>(digests(HttpRoutes.UNENCODED_DIGEST));
    digests.addAll(ofBody);
    digests.addAll(plain ? digests(HttpRoutes.REPR_DIGEST) : List.of());
    Digest strongest = null;
    for (Digest digest : digests) {
      if (strongest == null || digest.algorithm().compareTo(strongest.algorithm()) > 0) {
        strongest = digest;
      } else if (digest.algorithm() == strongest.algorithm() && !digest.equals(strongest)) {
        throw new FerryException(
            ErrorKind.DIGEST_MISMATCH,
            "%s: the request states %s and %s; send one digest of the file"
                .formatted(digest.algorithm().label(), strongest, digest));
      }
    }
    return strongest;
  }

  private List<Digest> digests(String field) throws FerryException {
    return headers.contains(field)
        ? HttpRoutes.digests(String.join(", ", headers.getAll(field)))
        : List.of();
  }

  /** Returns whether a part of a file is requested, perhaps in a form that is ignored. */
  boolean asksForRange() {
    return headers.contains(HttpHeaderNames.RANGE);
  }

  /**
   * Returns the part of a file to send; null for the whole file.
   *
   * @see ByteRange#ofRequest
   */
  @Nullable ByteRange range(FileFacts facts) {
    return Conditions.permitRange(headers, facts)
        ? ByteRange.ofRequest(headers.getAll(HttpHeaderNames.RANGE), facts.size())
        : null;
  }

  /**
   * Returns what may already exist, or be missing, at the path of the new file that the body is.
   *
   * @param store where the file will be
   * @throws FerryException as {@link Conditions#ofChange}
   */
  public CreateOptions create(FileStore store) throws FerryException {
    CreateOptions options =
        new CreateOptions(Conditions.createsOnly(headers), makesParents())
            .withLastModified(lastModified())
            .withMode(mode(HttpRoutes.MODE))
            .withFolderMode(mode(HttpRoutes.FOLDER_MODE));
    return Conditions.ofChange(headers, file(), store, options);
  }

  /** Returns the modification time of the new file; null if it is not given. */
  private @Nullable Instant lastModified() throws FerryException {
    String field = headers.get(HttpRoutes.LAST_MODIFIED);
    if (field == null) {
      // That of clients of ownCloud, such as rclone.
      String seconds = headers.get("X-OC-Mtime");
      return seconds == null ? null : LiveProperty.time(seconds.strip());
    }
    try {
      return Instant.ofEpochMilli(HttpRoutes.time(field.strip()).toEpochMilli());
    } catch (DateTimeException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          HttpRoutes.LAST_MODIFIED
              + ": '"
              + field
              + "' is not a time such as 2026-01-31T12:00:00.123Z",
          e);
    }
  }

  /** Returns the permissions that a field has; null if it is not given. */
  @Nullable Integer mode(String name) throws FerryException {
    String field = headers.get(name);
    Integer mode = field == null ? null : HttpRoutes.mode(field.strip());
    if (field != null && mode == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          name + ": '" + field + "' is not a mode of three octal digits, such as 640");
    }
    return mode;
  }

  /** Returns whether missing parent directories are created. */
  boolean makesParents() {
    return hasValue(HttpRoutes.MAKE_PARENTS, HttpRoutes.YES);
  }

  /**
   * Returns the new path of a file or directory, a path or URI of this server.
   *
   * @param rules know the names of this server
   */
  StorePath destination(AccessRules rules) throws FerryException {
    List<String> fields = headers.getAll(HttpRoutes.DESTINATION);
    String uri = fields.size() == 1 ? fields.get(0).strip() : "";
    if (uri.isEmpty()) {
      throw noPath(HttpRoutes.DESTINATION);
    }
    return pathOf(uri, headers, rules, HttpRoutes.DESTINATION);
  }

  private static FerryException noPath(String field) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, field + ": give one, the new path, such as /files/new.csv");
  }

  /**
   * Returns what a path or URI of this server names.
   *
   * @param field the field that has it, for messages
   */
  static StorePath pathOf(String given, HttpHeaders headers, AccessRules rules, String field)
      throws FerryException {
    String uri = given;
    Matcher absolute = absolute(uri);
    if (absolute != null) {
      if (!absolute.group("rest").startsWith("/")) {
        throw noPath(field);
      }
      String host = headers.get(HttpHeaderNames.HOST, "");
      if (!rules.isSame(absolute.group("scheme"), absolute.group("authority"), host)) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            field
                + ": '"
                + uri
                + "' is not on this server; give only its path, or start the server with the"
                + " --host-name by which clients know it");
      }
      uri = absolute.group("rest");
    }
    uri = rules.basePath().without(uri.split("\\?", 2)[0]);
    return uri.endsWith("/") ? HttpRoutes.directoryPath(uri) : HttpRoutes.storePath(uri);
  }

  /** Returns whether the new path ends like a directory path. */
  boolean destinationNamesDirectory() {
    return headers.get(HttpRoutes.DESTINATION, "").strip().endsWith("/");
  }

  /** Returns whether a request is for all that is in a directory, too. */
  boolean isDeep() throws FerryException {
    String depth = headers.get("Depth", INFINITY).strip();
    if (!depth.equals("0") && !depth.equalsIgnoreCase(INFINITY)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "Depth: '" + depth + "' is not 0 or infinity");
    }
    return !depth.equals("0");
  }

  /** Returns whether a file may be replaced at the destination. */
  boolean overwrites() throws FerryException {
    String field = headers.get(HttpRoutes.OVERWRITE, "F").strip();
    if (!field.equals("T") && !field.equals("F")) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, HttpRoutes.OVERWRITE + ": '" + field + "' is not T or F");
    }
    return field.equals("T");
  }

  private boolean hasValue(CharSequence name, String value) {
    String field = headers.get(name);
    return field != null && field.strip().equals(value);
  }

  /** Returns the content coding of the body; {@code identity} if the field is absent. */
  public String coding() {
    String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    return coding == null
        ? HttpHeaderValues.IDENTITY.toString()
        : coding.strip().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a coding is gzip. */
  public static boolean isGzip(String coding) {
    return coding.equals("gzip") || coding.equals("x-gzip");
  }

  /**
   * Returns the announced length of the file in bytes; negative if it is absent.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the value is not a number, if
   *     it contradicts the length of the body, or if the request has a {@code Content-Range}
   */
  public long length() throws FerryException {
    if (headers.contains(HttpHeaderNames.CONTENT_RANGE)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "Content-Range: a part cannot be stored; send the whole file");
    }
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    long unencoded = unencodedLength();
    if (length == null || isGzip(coding())) {
      return unencoded;
    }
    // The codec has already rejected values that are not numbers.
    long body = Long.parseLong(length);
    if (unencoded >= 0 && unencoded != body) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          HttpRoutes.UNENCODED_LENGTH + ": " + unencoded + " is not the body's length, " + body);
    }
    return body;
  }

  private long unencodedLength() throws FerryException {
    List<String> lengths = headers.getAll(HttpRoutes.UNENCODED_LENGTH);
    if (lengths.isEmpty()) {
      return -1;
    }
    String length = String.join(", ", lengths);
    if (!LENGTH.matcher(length).matches()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          HttpRoutes.UNENCODED_LENGTH + ": '" + length + "' is not a number of bytes");
    }
    return Long.parseLong(length);
  }
}
