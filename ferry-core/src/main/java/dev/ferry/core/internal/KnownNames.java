package dev.ferry.core.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Names that a user can choose from. Letter case is ignored, and there are suggestions for misspelt
 * names.
 *
 * @param all the names, in the order they are listed
 */
public record KnownNames(List<String> all) {
  /** Minimum length of a text for a suggestion. */
  private static final int LEAST_LETTERS = 3;

  /** Letters per tolerated edit: one edit for up to 5 letters, two for up to 10, and so on. */
  private static final int LETTERS_A_SLIP = 5;

  public KnownNames {
    all = List.copyOf(all);
  }

  /** Creates names in this order. */
  public static KnownNames of(Collection<String> names) {
    return new KnownNames(List.copyOf(names));
  }

  /** Finds a name. An exact match takes precedence over one that ignores case. */
  public Optional<String> find(String text) {
    return all.contains(text)
        ? Optional.of(text)
        : all.stream().filter(name -> name.equalsIgnoreCase(text)).findFirst();
  }

  /** Suggests the name nearest to a text. A text of digits only has no suggestion. */
  public Optional<String> nearest(String text) {
    String meant = text.toLowerCase(Locale.ROOT);
    if (meant.length() < LEAST_LETTERS || meant.chars().allMatch(Character::isDigit)) {
      return Optional.empty();
    }
    int forgiven = 1 + (meant.length() - 1) / LETTERS_A_SLIP;
    return all.stream()
        .filter(name -> slips(meant, name.toLowerCase(Locale.ROOT)) <= forgiven)
        .min(Comparator.comparingInt(name -> slips(meant, name.toLowerCase(Locale.ROOT))))
        .or(() -> all.stream().filter(n -> n.toLowerCase(Locale.ROOT).startsWith(meant)).findAny());
  }

  /** Returns a hint for an unknown name: the suggestion, or all names. */
  public String hint(String text) {
    return nearest(text)
        .map(name -> "did you mean '" + name + "'?")
        .orElseGet(() -> "use one of: " + String.join(", ", all));
  }

  /**
   * Returns the optimal string alignment distance: the number of letters to insert, delete, replace
   * or swap with a neighbour.
   */
  private static int slips(String a, String b) {
    int[][] slips = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          slips[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least = slips[i - 1][j - 1] + (same ? 0 : 1);
        least = Math.min(least, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, slips[i - 2][j - 2] + 1);
        }
        slips[i][j] = least;
      }
    }
    return slips[a.length()][b.length()];
  }
}
