package dev.ferry.suites.advice;

import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.LabException;
import java.util.List;
import java.util.Locale;

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
    return Choice.of(List.of(values()), Purpose::label, label, "unknown purpose");
  }
}
