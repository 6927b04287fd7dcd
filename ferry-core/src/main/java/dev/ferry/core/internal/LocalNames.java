package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The names of local files. For Linux they are bytes, for Ferry they are text: those that are no
 * UTF-8 have no name here, and are never stored under another one.
 */
public final class LocalNames {
  /** What the JDK puts in the place of bytes that are no text. A name may contain it, too. */
  private static final char REPLACED = '\uFFFD';

  private LocalNames() {}

  /** Returns the bytes of the last name of a path. */
  public static byte[] bytes(Path path) {
    Path last = path.getFileName();
    String name = String.valueOf(last == null ? path : last);
    return last == null || name.indexOf(REPLACED) < 0
        ? name.getBytes(StandardCharsets.UTF_8)
        : exactBytes(last);
  }

  /** The URI of a path is the one form in which the JDK gives the bytes of a name. */
  private static byte[] exactBytes(Path name) {
    String path = name.toUri().getRawPath();
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    String last = path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(last.length());
    for (int i = 0; i < last.length(); i++) {
      boolean encoded = last.charAt(i) == '%';
      bytes.write(encoded ? Integer.parseInt(last, i + 1, i + 3, 16) : last.charAt(i));
      i += encoded ? 2 : 0;
    }
    return bytes.toByteArray();
  }

  /** Returns the text of a name; null if it is no UTF-8. */
  public static @Nullable String text(byte[] name) {
    // A decoder takes several times as long, so it is asked only about what is rarely in a name.
    String text = new String(name, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACED) < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /**
   * Returns the last name of a local path as a segment of a {@link StorePath}.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if it cannot be one; the message is
   *     the reason, without the name
   */
  public static String segment(Path path) throws FerryException {
    if (path.getFileName() == null) {
      throw new FerryException(ErrorKind.INVALID_PATH, "it has no name");
    }
    String name = text(bytes(path));
    if (name == null) {
      throw new FerryException(ErrorKind.INVALID_PATH, "its name is not UTF-8");
    }
    return StorePath.parse(name).value();
  }

  /** Returns a path for people, with escapes for what cannot be printed. */
  public static String shown(Path path) {
    Path parent = path.getParent();
    String last = PlainText.of(bytes(path));
    String above = parent == null ? "" : PlainText.of(parent.toString());
    return parent == null ? last : above + (above.endsWith("/") ? "" : "/") + last;
  }
}
