package dev.ferry.web.internal.frame;

import dev.ferry.core.FerryException;
import dev.ferry.web.internal.HttpMessageKind;
import dev.ferry.web.internal.StatusFields;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** The trailers of gRPC-Web, which are the last frame of a response. */
public final class WebTrailers {
  /** The limit that also applies to HTTP trailers of a server. */
  public static final int MAX_BYTES = 32 * 1024;

  private static final String STATUS = StatusFields.STATUS;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final boolean compressed;

  public WebTrailers(boolean compressed) {
    this.compressed = compressed;
  }

  public void add(int value) {
    bytes.write(value);
  }

  /**
   * Parses the lines as fields.
   *
   * @throws FerryException if the lines are malformed or contain no status
   */
  public HttpHeaders fields() throws FerryException {
    HttpHeaders fields = new DefaultHttpHeaders();
    String text = new String(plain(), StandardCharsets.UTF_8);
    boolean said = false;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf("\r\n", at);
      int colon = text.indexOf(':', at + 1);
      if (end < 0 || colon < 0 || colon > end) {
        throw unsound("a line of its trailers is no field");
      }
      String name = text.substring(at, colon).toLowerCase(Locale.ROOT);
      String value = text.substring(colon + 1, end).strip();
      if (name.equals(STATUS)) {
        int ignored = number(value);
        said = true;
      }
      add(fields, name, value);
      at = end + 2;
    }
    if (!said) {
      throw unsound("its trailers have no " + STATUS);
    }
    return fields;
  }

  private static void add(HttpHeaders fields, String name, String value) throws FerryException {
    try {
      fields.add(name, value);
    } catch (IllegalArgumentException e) {
      throw unsound("a line of its trailers is no field");
    }
  }

  /** Parses a status number. */
  public static int number(String value) throws FerryException {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw unsound("its " + STATUS + " is no number but '" + value + "'");
    }
  }

  private byte[] plain() throws FerryException {
    if (!compressed) {
      return bytes.toByteArray();
    }
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray()), 1024)) {
      byte[] plain = in.readNBytes(MAX_BYTES + 1);
      if (plain.length > MAX_BYTES) {
        throw unsound("its trailers are over " + MAX_BYTES + " bytes");
      }
      return plain;
    } catch (IOException e) {
      throw e instanceof FerryException known
          ? known
          : unsound("its trailers cannot be decompressed");
    }
  }

  private static FerryException unsound(String why) {
    return HttpMessageKind.RESPONSE.unsound(why);
  }
}
