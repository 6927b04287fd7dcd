package dev.ferry.http.internal.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The style and the script of the page. The name of each has a hash of its content, so that
 * browsers keep it for good.
 */
public final class Assets {
  /** Path prefix of assets. */
  public static final String PREFIX = "/page/";

  private static final int HASH_CHARS = 16;

  /** What readers of the source need and browsers do not, of the script. */
  private static final Pattern INDENT_OR_COMMENT =
      Pattern.compile("^ *(?:(?://|/\\*\\*? ).*)?\n|^ +", Pattern.MULTILINE);

  /** The same of the style, in which no text has braces or semicolons. */
  private static final Pattern BLANK_OR_COMMENT =
      Pattern.compile(
          INDENT_OR_COMMENT.pattern() + "|(?<=[;{}]) +| +(?=[{}])", INDENT_OR_COMMENT.flags());

  /**
   * A file of the page.
   *
   * @param path the path of its URI
   * @param type its media type
   */
  public record Asset(String path, CharSequence type, byte[] content) {}

  static final Asset STYLE = load("page.css", "text/css; charset=utf-8", BLANK_OR_COMMENT);
  static final Asset SCRIPT = load("page.js", "text/javascript; charset=utf-8", INDENT_OR_COMMENT);

  private static final Map<String, Asset> ALL = Map.of(STYLE.path(), STYLE, SCRIPT.path(), SCRIPT);

  private Assets() {}

  /** Returns the asset at a path; null if there is none. */
  public static @Nullable Asset at(String path) {
    return ALL.get(path);
  }

  /** Returns the text of a resource beside this class. */
  static String text(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String name) {
    try (InputStream in = Objects.requireNonNull(Assets.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Asset load(String name, String type, Pattern unneeded) {
    byte[] content = unneeded.matcher(text(name)).replaceAll("").getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      String hash = HexFormat.of().formatHex(digest).substring(0, HASH_CHARS);
      return new Asset(PREFIX + hash + "/" + name, type, content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
