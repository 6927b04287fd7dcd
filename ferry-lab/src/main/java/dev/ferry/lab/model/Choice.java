package dev.ferry.lab.model;

import dev.ferry.core.internal.KnownNames;
import java.util.Collection;
import java.util.function.Function;

/** Finds what a user names. */
public final class Choice {
  private Choice() {}

  /**
   * Returns a value by its name, in any letter case.
   *
   * @param unknown what the message says before a name that none has
   */
  public static <T> T of(Collection<T> all, Function<T, String> name, String typed, String unknown)
      throws LabException {
    KnownNames names = KnownNames.of(all.stream().map(name).toList());
    String found = names.find(typed).orElse("");
    return all.stream()
        .filter(each -> name.apply(each).equals(found))
        .findFirst()
        .orElseThrow(
            () -> LabException.usage("%s '%s'; %s".formatted(unknown, typed, names.hint(typed))));
  }
}
