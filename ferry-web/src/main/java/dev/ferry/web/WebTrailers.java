package dev.ferry.web;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpHeadersBuilder;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/**
 * The trailers of gRPC-Web, which are the last message of an answer.
 *
 * <p>Armeria reads them on its own. Those it cannot read, or that have no status, leave its call
 * without an end.
 */
final class WebTrailers {
  /** As much as a server may send in HTTP's own trailers. */
  static final int MAX_BYTES = 32 * 1024;

  private static final String STATUS = "grpc-status";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final boolean compressed;

  WebTrailers(boolean compressed) {
    this.compressed = compressed;
  }

  void add(int value) {
    bytes.write(value);
  }

  /** Checks that they are whole lines, and say a status. */
  void check() throws FerryException {
    HttpHeaders ignored = fields();
  }

  /** The lines as fields, which are whole and say a status. */
  HttpHeaders fields() throws FerryException {
    HttpHeadersBuilder fields = HttpHeaders.builder();
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
        checkStatus(value);
        said = true;
      }
      fields.add(name, value);
      at = end + 2;
    }
    if (!said) {
      throw unsound("its trailers have no " + STATUS);
    }
    return fields.build();
  }

  /** Refuses a status that is no number. */
  static void checkStatus(String value) throws FerryException {
    try {
      int unused = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new FerryException(
          ErrorKind.INTERNAL,
          "the answer is unsound: its " + STATUS + " is no number but '" + value + "'",
          e);
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
    return Frames.Side.WEB_ANSWER.unsound(why);
  }
}
