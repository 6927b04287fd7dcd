package dev.ferry.core.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a user can choose from by name: found in any case, and guessed at where it is misspelt.
 *
 * @param all the names, in the order they are listed
 */
public record Names(List<String> all) {
  /** Fewer letters may be meant to be anything. */
  private static final int LEAST_LETTERS = 3;

  /** One slip is forgiven in a text of up to so many letters, two in one of up to twice as many. */
  private static final int LETTERS_A_SLIP = 5;

  public Names {
    all = List.copyOf(all);
  }

  /** Names in their order. */
  public static Names of(Collection<String> names) {
    return new Names(List.copyOf(names));
  }

  /** The name that a text is, in its own case if there is that and in any other if not. */
  public Optional<String> find(String text) {
    return all.contains(text)
        ? Optional.of(text)
        : all.stream().filter(name -> name.equalsIgnoreCase(text)).findFirst();
  }

  /** The name that a text was probably meant to be; another number is not a misspelt one. */
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

  /** What to say of a text that is no such name: which one it may be, or all there are. */
  public String hint(String text) {
    return nearest(text)
        .map(name -> "did you mean '" + name + "'?")
        .orElseGet(() -> "there is: " + String.join(", ", all));
  }

  /**
   * How many letters to put in, leave out, replace or swap with their neighbours make one text of
   * the other (optimal string alignment).
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
