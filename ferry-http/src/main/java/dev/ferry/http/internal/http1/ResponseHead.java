package dev.ferry.http.internal.http1;

import dev.ferry.http.internal.Fields;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.net.ProtocolException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a response, and the trailer fields that follow its body. Decides how the body ends.
 */
final class ResponseHead implements Fields {
  /** A field as it was sent. */
  record Field(String name, String value) {}

  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** Longer values are no number of bytes. */
  private static final int MAX_DIGITS = 18;

  private final int status;
  private final boolean version10;
  private final List<Field> fields;
  private final boolean chunked;
  private final long contentLength;
  private List<Field> trailers = List.of();

  /**
   * @param version10 whether the server speaks HTTP/1.0
   * @throws ProtocolException if the fields contradict each other, or leave open how the body ends
   */
  ResponseHead(int status, boolean version10, List<Field> fields) throws ProtocolException {
    this.status = status;
    this.version10 = version10;
    this.fields = fields;
    String coding = only("Transfer-Encoding", false);
    String length = only("Content-Length", true);
    chunked = coding != null;
    if (coding != null && (version10 || length != null || !coding.equalsIgnoreCase("chunked"))) {
      throw new ProtocolException("it is unclear where the body ends: Transfer-Encoding " + coding);
    }
    contentLength = length == null ? -1 : bytes(length);
  }

  /**
   * Returns the value of a field; null if it is absent.
   *
   * @param repeatable whether it may be repeated as it is
   */
  private @Nullable String only(String name, boolean repeatable) throws ProtocolException {
    String found = null;
    for (Field field : fields) {
      if (field.name.equalsIgnoreCase(name)) {
        if (found != null && !(repeatable && found.equals(field.value))) {
          throw new ProtocolException("two values of " + name + ": " + found + ", " + field.value);
        }
        found = field.value;
      }
    }
    return found;
  }

  private static long bytes(String length) throws ProtocolException {
    boolean digits = !length.isEmpty() && length.length() <= MAX_DIGITS;
    for (int i = 0; digits && i < length.length(); i++) {
      digits = length.charAt(i) >= '0' && length.charAt(i) <= '9';
    }
    if (!digits) {
      throw new ProtocolException("not a number of bytes: Content-Length " + length);
    }
    return Long.parseLong(length);
  }

  int status() {
    return status;
  }

  /** Whether another response follows this one. */
  boolean isInterim() {
    return status < 200;
  }

  boolean hasBody(String method) {
    return !method.equals("HEAD") && status != NO_CONTENT && status != NOT_MODIFIED;
  }

  boolean chunked() {
    return chunked;
  }

  /** Returns the length of the body; -1 if it is chunked or ends with the connection. */
  long contentLength() {
    return contentLength;
  }

  /** Whether the server leaves the connection open. */
  boolean keepsConnection() {
    boolean keepAlive = false;
    for (Field field : fields) {
      if (field.name.equalsIgnoreCase("Connection")) {
        String options = field.value.toLowerCase(Locale.ROOT);
        if (options.contains("close")) {
          return false;
        }
        keepAlive |= options.contains("keep-alive");
      }
    }
    return keepAlive || !version10;
  }

  void setTrailers(List<Field> after) {
    trailers = after;
  }

  /**
   * Returns the first value. After the body, a digest may be found among the trailer fields, for
   * which it is defined. Nothing else is, since other fields there would change what was decided by
   * the head.
   */
  @Override
  public @Nullable String get(String name) {
    String value = first(fields, name);
    return value == null && name.equalsIgnoreCase(HttpRoutes.UNENCODED_DIGEST)
        ? first(trailers, name)
        : value;
  }

  private static @Nullable String first(List<Field> fields, String name) {
    for (Field field : fields) {
      if (field.name.equalsIgnoreCase(name)) {
        return field.value;
      }
    }
    return null;
  }
}
