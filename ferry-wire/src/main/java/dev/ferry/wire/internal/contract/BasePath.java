package dev.ferry.wire.internal.contract;

import dev.ferry.core.internal.PlainText;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The path below which clients know a server, such as {@code /ferry} behind a proxy that has other
 * servers as well. A proxy passes requests on with it or without it; URIs in responses have it.
 *
 * @param value empty if there is none; else it begins with a slash and ends without one
 */
public record BasePath(String value) {
  public static final BasePath NONE = new BasePath("");

  private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._~-]+");

  /** Names of paths that a server has without a base path. */
  private static final Set<String> TAKEN = Set.of("files", "uploads", "page", "health");

  /**
   * Parses a base path. A slash alone is none.
   *
   * @throws IllegalArgumentException if it is malformed; the message is one line that names it
   */
  public static BasePath parse(String text) {
    String path = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (path.isEmpty() && !text.isEmpty()) {
      return NONE;
    }
    List<String> segments = List.of(path.split("/", -1));
    List<String> names = segments.subList(1, segments.size());
    if (!path.startsWith("/") || !names.stream().allMatch(SEGMENT.asMatchPredicate())) {
      throw new IllegalArgumentException(
          "'"
              + PlainText.of(text)
              + "' is not a base path, which consists of letters, digits and -._~, such as /ferry");
    }
    for (String name : names) {
      if (TAKEN.contains(name)) {
        throw new IllegalArgumentException(
            "'" + text + "': '/" + name + "' is a path of the server itself; choose another");
      }
    }
    return new BasePath(path);
  }

  /** Returns a path of the server as clients know it. */
  public String before(String path) {
    return value + path;
  }

  /** Returns the path of a request, perhaps with a query, without this one; others as they are. */
  public String without(String path) {
    if (value.isEmpty() || !path.startsWith(value)) {
      return path;
    }
    String rest = path.substring(value.length());
    return rest.startsWith("/") ? rest : rest.isEmpty() || rest.startsWith("?") ? "/" + rest : path;
  }
}
