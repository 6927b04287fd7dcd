package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a comparison of two rows decides. */
public enum Verdict {
  /** The row takes less time. */
  FASTER("faster", "the whole interval lies below 1, by more than the threshold and the floor"),
  /** The row takes more time. */
  SLOWER("slower", "the whole interval lies above 1, by more than the threshold and the floor"),
  /** The difference is too small to matter. */
  SAME("same", "the whole interval lies within the threshold"),
  /** The interval is too wide. */
  NOT_DECIDED(
      "not decided",
      "the interval allows more than one of the other verdicts, or a row has fewer than three"
          + " forks; more rounds (a longer --time) may decide"),
  /** A ratio would have no meaning. */
  NOT_COMPARABLE(
      "not comparable",
      "the rows did not do the same work, one has no figures, or the network was not as asked");

  private final String label;
  private final String meaning;

  Verdict(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  /** Returns the word in reports and in {@code run.json}. */
  @JsonValue
  public String label() {
    return label;
  }

  /** Returns what the verdict means, as the part of a sentence. */
  public String meaning() {
    return meaning;
  }

  /** Returns whether the verdict is a statement about the two rows. */
  public boolean decided() {
    return this == FASTER || this == SLOWER || this == SAME;
  }
}
