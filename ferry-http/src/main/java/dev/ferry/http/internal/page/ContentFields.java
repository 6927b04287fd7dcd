package dev.ferry.http.internal.page;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * The fields that tell browsers what a file is, and to run nothing of it. A type is that of the
 * extension, from the table {@code media-types.properties}; the content is not looked at, and
 * browsers are told not to do so either.
 */
public final class ContentFields {
  /** The type of what the table does not have. */
  static final AsciiString UNKNOWN = AsciiString.cached("application/octet-stream");

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final AsciiString OPTIONS = AsciiString.cached("x-content-type-options");
  private static final AsciiString NOSNIFF = AsciiString.cached("nosniff");

  /** Without scripts, forms and the origin of the server. The page may show it in a frame. */
  private static final AsciiString SANDBOX = AsciiString.cached("sandbox; frame-ancestors 'self'");

  /** Browsers show no PDF in a sandbox. Their viewers run it outside of the server's origin. */
  private static final AsciiString FRAMED = AsciiString.cached("frame-ancestors 'self'");

  private static final Map<String, AsciiString> TYPES = types();
  private static final CharSequence PDF = type(".pdf");

  private ContentFields() {}

  private static Map<String, AsciiString> types() {
    Properties table = new Properties();
    try (InputStream in =
        Objects.requireNonNull(ContentFields.class.getResourceAsStream("media-types.properties"))) {
      table.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, AsciiString> types = new HashMap<>();
    for (String type : table.stringPropertyNames()) {
      AsciiString value =
          AsciiString.cached(type.startsWith("text/") ? type + "; charset=utf-8" : type);
      for (String extension : table.getProperty(type).split(" ", -1)) {
        types.put(extension, value);
      }
    }
    return types;
  }

  /** Returns the media type of a file. */
  public static CharSequence type(String name) {
    int dot = name.lastIndexOf('.');
    return TYPES.getOrDefault(name.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN);
  }

  /**
   * Adds what a file is.
   *
   * @param path its path in the store, of which the last segment is its name
   */
  public static void describe(HttpHeaders headers, String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    CharSequence type = type(name);
    type(headers, type);
    headers
        .set(HttpHeaderNames.CONTENT_DISPOSITION, disposition("inline", name))
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, type == PDF ? FRAMED : SANDBOX);
  }

  /**
   * Adds a type that browsers must not guess anew.
   *
   * @param type the media type
   */
  public static void type(HttpHeaders headers, CharSequence type) {
    headers.set(HttpHeaderNames.CONTENT_TYPE, type).set(OPTIONS, NOSNIFF);
  }

  /** Adds that the response is to be saved under a name. */
  public static void save(HttpHeaders headers, CharSequence type, String name) {
    type(headers, type);
    headers.set(HttpHeaderNames.CONTENT_DISPOSITION, disposition("attachment", name));
  }

  /**
   * Returns a field {@code Content-Disposition} (RFC 6266). A name that is not plain ASCII comes
   * also as RFC 8187 has it, which clients prefer.
   */
  static String disposition(String how, String name) {
    StringBuilder plain = new StringBuilder(how.length() + name.length() + 16);
    plain.append(how).append("; filename=\"");
    boolean exact = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      // A percent sign would be decoded by some browsers, a backslash is an escape.
      boolean kept = c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '%' && c != '/';
      exact &= kept;
      plain.append(kept ? c : '_');
    }
    plain.append('"');
    if (!exact) {
      plain.append("; filename*=UTF-8''");
      for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
        char c = (char) (b & 0xff);
        if (c < 0x80 && (Character.isLetterOrDigit(c) || "!#$&+-.^_`|~".indexOf(c) >= 0)) {
          plain.append(c);
        } else {
          plain.append('%').append(HEX.toHexDigits(b));
        }
      }
    }
    return plain.toString();
  }
}
