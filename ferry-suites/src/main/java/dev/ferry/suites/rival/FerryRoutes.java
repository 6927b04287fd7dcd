package dev.ferry.suites.rival;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a program of others knows of files over HTTP: the path, and the fields of digests. */
public final class FerryRoutes {
  /** Path prefix of files. */
  public static final String FILES = "/files/";

  /** Digests of a file: {@code crc32c=:BASE64:}. */
  public static final String DIGEST = "Unencoded-Digest";

  /** Asks for {@link #DIGEST}. */
  public static final String WANT_DIGEST = "Want-Unencoded-Digest";

  /** Bytes of the file of a compressed upload, which its server may ask for. */
  public static final String UNENCODED_LENGTH = "Ferry-Unencoded-Length";

  private FerryRoutes() {}

  /** Returns the path of a file in a request. */
  public static String uriPath(StorePath path) {
    // URLEncoder encodes forms, with a plus for a space.
    return FILES
        + URLEncoder.encode(path.value(), StandardCharsets.UTF_8)
            .replace("+", "%20")
            .replace("%2F", "/");
  }

  /** Returns the file that a request of a server is about. */
  public static StorePath storePath(String rawPath) throws FerryException {
    if (!rawPath.startsWith(FILES)) {
      throw new FerryException(ErrorKind.NOT_FOUND, rawPath + ": not below " + FILES);
    }
    String name = rawPath.substring(FILES.length()).replace("+", "%2B");
    try {
      return StorePath.parse(URLDecoder.decode(name, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_PATH, rawPath + ": bad percent-encoding", e);
    }
  }

  /** Returns the value of {@link #WANT_DIGEST}. */
  public static String wanted(Digest.Algorithm algorithm) {
    return key(algorithm) + "=10";
  }

  /** Returns the value of {@link #DIGEST}. */
  public static String field(Digest digest) {
    String bytes = Base64.getEncoder().encodeToString(digest.toBytes());
    return key(digest.algorithm()) + "=:" + bytes + ":";
  }

  /** Returns a digest of {@link #DIGEST}; null if there is none by the algorithm. */
  public static @Nullable Digest digest(@Nullable String field, Digest.Algorithm algorithm)
      throws FerryException {
    Matcher value =
        Pattern.compile("\\b" + key(algorithm) + "=:([A-Za-z0-9+/=]+):")
            .matcher(field == null ? "" : field);
    if (!value.find()) {
      return null;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(value.group(1));
      return switch (algorithm) {
        case CRC32C -> Crc32c.of(bytes);
        case SHA256 -> Sha256.of(bytes);
      };
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, DIGEST + ": '" + field + "'", e);
    }
  }

  private static String key(Digest.Algorithm algorithm) {
    return switch (algorithm) {
      case CRC32C -> "crc32c";
      case SHA256 -> "sha-256";
    };
  }

  /** Returns the failure of a transfer that a server has refused. */
  public static FerryException refused(String name, int status) {
    ErrorKind kind =
        switch (status) {
          case 401 -> ErrorKind.UNAUTHENTICATED;
          case 403 -> ErrorKind.PERMISSION_DENIED;
          case 404, 410 -> ErrorKind.NOT_FOUND;
          case 409, 412 -> ErrorKind.ALREADY_EXISTS;
          case 413 -> ErrorKind.TOO_LARGE;
          case 502, 503, 504 -> ErrorKind.UNAVAILABLE;
          case 507 -> ErrorKind.OUT_OF_SPACE;
          default -> status < 500 ? ErrorKind.INVALID_REQUEST : ErrorKind.INTERNAL;
        };
    return new FerryException(kind, name + ": HTTP " + status);
  }
}
