package dev.ferry.cli.tree;

import dev.ferry.core.internal.PlainText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * A pattern for paths of a tree, which means what it means in a {@code .gitignore} file. It works
 * on text, since the names of a server need not be those of a local file system. A match takes a
 * time of at most the length of the pattern times that of the path. Thread-safe.
 */
public final class PathPattern {
  private final List<Predicate<String>> names;
  private final boolean folder;

  /** A part that matches any number of elements, not one alone. */
  private record Any<T>() implements Predicate<T> {
    @Override
    public boolean test(T element) {
      return true;
    }
  }

  private PathPattern(List<Predicate<String>> names, boolean folder) {
    this.names = names;
    this.folder = folder;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it can never match, or means something else to others; the
   *     message is one line that names it and the remedy
   */
  static PathPattern parse(String pattern) {
    try {
      return parsed(pattern);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'" + PlainText.of(pattern) + "' is not a pattern: " + e.getMessage(), e.getCause());
    }
  }

  private static PathPattern parsed(String pattern) {
    if (pattern.startsWith("!")) {
      throw new IllegalArgumentException("it takes nothing back; for a name with '!' write '\\!'");
    }
    String rooted = pattern.startsWith("./") ? pattern.substring(1) : pattern;
    boolean folder = rooted.endsWith("/");
    String path = rooted.startsWith("/") ? rooted.substring(1) : rooted;
    path = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (path.isEmpty()) {
      throw new IllegalArgumentException("it has no name; for everything write '*'");
    }
    List<Predicate<String>> names = new ArrayList<>();
    if (!rooted.startsWith("/") && !path.contains("/")) {
      names.add(new Any<>());
    }
    for (String segment : path.split("/", -1)) {
      names.add(segment.matches("\\*{2,}") ? new Any<>() : new Parser(segment).name());
    }
    if (names.get(names.size() - 1) instanceof Any) {
      // It is for what is below a folder, and not for the folder.
      names.add(any -> true);
    }
    return new PathPattern(List.copyOf(names), folder);
  }

  /**
   * Parses the pattern of a single name.
   *
   * @throws IllegalArgumentException if it means something else to others; the message says why
   */
  public static Predicate<String> ofName(String pattern) {
    return new Parser(pattern).name();
  }

  /** Whether it is for folders alone. */
  boolean isForFolders() {
    return folder;
  }

  /**
   * Whether it matches a path, whatever it does for the folders above.
   *
   * @param path below the root of the tree, with {@code /} between names
   */
  boolean matches(String path, boolean isFolder) {
    return (isFolder || !folder) && matches(names, Arrays.asList(path.split("/", -1)));
  }

  /**
   * Whether parts match elements, one by one. Of the parts that match any number of elements only
   * the last one that was met is tried again: one before it can match nothing that this one cannot.
   */
  private static <T> boolean matches(List<Predicate<T>> parts, List<T> elements) {
    int part = 0;
    int element = 0;
    int lastAny = -1;
    int taken = 0;
    while (element < elements.size()) {
      if (part < parts.size() && parts.get(part) instanceof Any) {
        lastAny = part++;
        taken = element;
      } else if (part < parts.size() && parts.get(part).test(elements.get(element))) {
        part++;
        element++;
      } else if (lastAny >= 0) {
        part = lastAny + 1;
        element = ++taken;
      } else {
        return false;
      }
    }
    return parts.subList(part, parts.size()).stream().allMatch(Any.class::isInstance);
  }

  /** Parses the pattern of a name. */
  private static final class Parser {
    private final int[] text;
    private int next;

    Parser(String segment) {
      text = segment.codePoints().toArray();
    }

    Predicate<String> name() {
      List<Predicate<Integer>> parts = new ArrayList<>();
      StringBuilder literal = new StringBuilder();
      while (next < text.length) {
        int c = text[next++];
        switch (c) {
          case '*' -> parts.add(new Any<>());
          case '?' -> parts.add(any -> true);
          case '[' -> parts.add(set());
          case '{' ->
              throw new IllegalArgumentException(
                  "it has a brace; give the option once for each alternative, or write '\\{'");
          default -> {
            int wanted = c == '\\' ? escaped() : c;
            literal.appendCodePoint(wanted);
            parts.add(found -> found == wanted);
          }
        }
      }
      String name = literal.toString();
      if (parts.size() > name.codePointCount(0, name.length())) {
        return found -> matches(parts, found.codePoints().boxed().toList());
      }
      if (name.isEmpty()) {
        throw new IllegalArgumentException("it has two slashes in a row; leave one out");
      }
      if (name.equals(".") || name.equals("..")) {
        throw new IllegalArgumentException(
            "no path below the folder has '" + name + "'; leave it out");
      }
      return name::equals;
    }

    private int escaped() {
      if (next == text.length) {
        throw new IllegalArgumentException(
            "a backslash is followed by no character of a name; for a backslash write '\\\\'");
      }
      return text[next++];
    }

    /** Parses the rest of {@code [...]}. */
    private Predicate<Integer> set() {
      boolean negated = next < text.length && (text[next] == '!' || text[next] == '^');
      next += negated ? 1 : 0;
      List<Predicate<Integer>> members = new ArrayList<>();
      do {
        members.add(member());
      } while (!isNext(']'));
      next++;
      Predicate<Integer> set = c -> members.stream().anyMatch(member -> member.test(c));
      return negated ? set.negate() : set;
    }

    /** Parses a character or a range. A {@code ]} is a character if it is the first. */
    private Predicate<Integer> member() {
      if (isNext('[') && next + 1 < text.length && text[next + 1] == ':') {
        throw new IllegalArgumentException("it has a class such as [:alpha:]; write '[a-zA-Z]'");
      }
      int first = character();
      if (!isNext('-') || next + 1 == text.length || text[next + 1] == ']') {
        return c -> c == first;
      }
      next++;
      int last = character();
      if (last < first) {
        throw new IllegalArgumentException("a range ends before it begins; exchange its ends");
      }
      return c -> c >= first && c <= last;
    }

    private int character() {
      if (next == text.length) {
        throw new IllegalArgumentException(
            "a '[' has no ']' in the same name; close it, or write '\\['");
      }
      int c = text[next++];
      return c == '\\' ? escaped() : c;
    }

    private boolean isNext(int c) {
      return next < text.length && text[next] == c;
    }
  }
}
