package dev.ferry.suites.advice;

import dev.ferry.core.internal.KnownNames;
import dev.ferry.lab.model.LabException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a user needs advice for. */
public enum Purpose {
  /** Files from a server. */
  DOWNLOADS,
  /** Files to a server. */
  UPLOADS,
  /** Calls with little data. */
  SMALL_CALLS,
  /** Replies of many rows. */
  STREAMS;

  /** Returns the name in {@code --for}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the purpose with a label. The case is ignored.
   *
   * @throws LabException with the most similar label or a list of labels
   */
  public static Purpose parse(String label) throws LabException {
    List<Purpose> all = List.of(values());
    KnownNames names = KnownNames.of(all.stream().map(Purpose::label).toList());
    return names
        .find(label)
        .flatMap(found -> Stream.of(values()).filter(p -> p.label().equals(found)).findFirst())
        .orElseThrow(
            () -> LabException.usage("unknown purpose '" + label + "'; " + names.hint(label)));
  }
}
