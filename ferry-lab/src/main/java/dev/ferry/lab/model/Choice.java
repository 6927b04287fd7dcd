package dev.ferry.lab.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Finds what a user names. */
public final class Choice {
  /** Minimum length of a text for a suggestion. */
  private static final int LEAST_LETTERS = 3;

  /** Letters for each tolerated edit. */
  private static final int LETTERS_PER_EDIT = 5;

  private Choice() {}

  /**
   * Returns a value by its name, in any letter case.
   *
   * @param unknown what the message says before a name that none has
   */
  public static <T> T of(Collection<T> all, Function<T, String> name, String typed, String unknown)
      throws LabException {
    List<String> names = all.stream().map(name).toList();
    String found = find(names, typed).orElse("");
    return all.stream()
        .filter(each -> name.apply(each).equals(found))
        .findFirst()
        .orElseThrow(
            () -> LabException.usage("%s '%s'; %s".formatted(unknown, typed, hint(names, typed))));
  }

  /** Returns a name, in any letter case. An exact match takes precedence. */
  public static Optional<String> find(Collection<String> names, String typed) {
    return names.contains(typed)
        ? Optional.of(typed)
        : names.stream().filter(name -> name.equalsIgnoreCase(typed)).findFirst();
  }

  /** Returns a hint for an unknown name: the most similar name, or all. */
  public static String hint(Collection<String> names, String typed) {
    String meant = typed.toLowerCase(Locale.ROOT);
    boolean isNumber = meant.chars().allMatch(Character::isDigit);
    int tolerated =
        meant.length() < LEAST_LETTERS || isNumber
            ? -1
            : 1 + (meant.length() - 1) / LETTERS_PER_EDIT;
    return names.stream()
        .filter(name -> edits(meant, name) <= tolerated)
        .min(Comparator.comparingInt(name -> edits(meant, name)))
        .or(
            () ->
                names.stream()
                    .filter(n -> tolerated > 0 && n.toLowerCase(Locale.ROOT).startsWith(meant))
                    .findFirst())
        .map(name -> "did you mean '" + name + "'?")
        .orElseGet(() -> "use one of: " + String.join(", ", names));
  }

  /** Returns how many letters differ: to insert, delete, replace or swap with a neighbour. */
  private static int edits(String meant, String name) {
    String other = name.toLowerCase(Locale.ROOT);
    int[][] edits = new int[meant.length() + 1][other.length() + 1];
    for (int i = 0; i <= meant.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replaced = edits[i - 1][j - 1] + (meant.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        edits[i][j] = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        if (i > 1
            && j > 1
            && meant.charAt(i - 1) == other.charAt(j - 2)
            && meant.charAt(i - 2) == other.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[meant.length()][other.length()];
  }
}
