package dev.ferry.http.internal.server;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.Closing;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the head of a request asks for.
 *
 * @param rawPath path of its URI, still percent-encoded
 * @param headers its header fields
 * @param chunked whether the answer may be chunked: HTTP/1.0 cannot
 */
public record FileRequest(String rawPath, HttpHeaders headers, boolean chunked) {
  /** The absolute form, as it is sent to a proxy; every server must take it (RFC 9112, 3.2.2). */
  private static final Pattern ABSOLUTE =
      Pattern.compile("https?://(?<authority>[^/?#]*)(?<rest>.*)", Pattern.CASE_INSENSITIVE);

  /** Of 10^18 bytes at most. */
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  /** Reads a request's head. */
  public static FileRequest of(HttpRequest request) {
    String uri = request.uri();
    Matcher absolute = ABSOLUTE.matcher(uri);
    if (absolute.matches()) {
      String rest = absolute.group("rest");
      uri = rest.startsWith("/") ? rest : "/" + rest;
    }
    int query = uri.indexOf('?');
    return new FileRequest(
        query < 0 ? uri : uri.substring(0, query),
        request.headers(),
        request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0);
  }

  /** The host and port that the URI names itself; null where it is a path alone. */
  static @Nullable String authority(HttpRequest request) {
    Matcher absolute = ABSOLUTE.matcher(request.uri());
    return absolute.matches() ? absolute.group("authority") : null;
  }

  /** Whether the path ends as a directory's does. */
  public boolean namesDirectory() {
    return rawPath.endsWith("/");
  }

  /** The file that the path names. */
  public StorePath file() throws FerryException {
    return HttpRoutes.storePath(rawPath);
  }

  /** The file or directory that the path names. */
  public StorePath fileOrDirectory() throws FerryException {
    return namesDirectory() ? HttpRoutes.directoryPath(rawPath) : file();
  }

  /** Whether the answer may be compressed. */
  public boolean acceptsGzip() {
    if (!chunked) {
      return false;
    }
    for (String field : headers.getAll(HttpHeaderNames.ACCEPT_ENCODING)) {
      for (String member : field.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] codingAndWeight = member.strip().split("\\s*;\\s*q\\s*=\\s*", 2);
        if (isGzip(codingAndWeight[0])) {
          return codingAndWeight.length < 2 || !codingAndWeight[1].matches("0(\\.0*)?");
        }
      }
    }
    return false;
  }

  /** Whether the answer is to name the digest of the file. */
  public boolean wantsDigest() {
    return HttpRoutes.wantsDigest(headers.get(HttpRoutes.WANT_UNENCODED_DIGEST));
  }

  /** The announced digest of the file; null where none was. */
  public @Nullable Sha256 digest() throws FerryException {
    return HttpRoutes.digest(headers.get(HttpRoutes.UNENCODED_DIGEST));
  }

  /** What may stand, or be missing, where the file gets its name. */
  private CreateOptions create() {
    return new CreateOptions(
        hasValue(HttpHeaderNames.IF_NONE_MATCH, "*"),
        hasValue(HttpRoutes.MAKE_PARENTS, HttpRoutes.YES));
  }

  private boolean hasValue(CharSequence name, String value) {
    String field = headers.get(name);
    return field != null && field.strip().equals(value);
  }

  /** The body's coding, {@code identity} where it has none. */
  public String coding() {
    String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    return coding == null
        ? HttpHeaderValues.IDENTITY.toString()
        : coding.strip().toLowerCase(Locale.ROOT);
  }

  /** Whether a coding is gzip. */
  public static boolean isGzip(String coding) {
    return coding.equals("gzip") || coding.equals("x-gzip");
  }

  /**
   * The announced length of the file in bytes; negative where none was.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where that is no number, or the
   *     body another one
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
    // The codec has refused what is no number.
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
          HttpRoutes.UNENCODED_LENGTH + ": '" + length + "' is no number of bytes");
    }
    return Long.parseLong(length);
  }

  /**
   * Begins to store what comes as the file that the path names.
   *
   * @throws FerryException as {@link FileStore#create} and {@link FileSink#expect}
   */
  public FileSink create(FileStore store) throws FerryException {
    long length = length();
    FileSink sink = store.create(file(), create());
    try {
      if (length >= 0) {
        sink.expect(length);
      }
      return sink;
    } catch (FerryException e) {
      Closing.quietly(sink);
      throw e;
    }
  }
}
