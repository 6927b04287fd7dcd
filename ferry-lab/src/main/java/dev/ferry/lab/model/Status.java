package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What became of a row. */
public enum Status {
  /** Every operation succeeded and was checked. */
  @JsonProperty("ok")
  OK,
  /** An operation failed, or was not what its label says. */
  @JsonProperty("failed")
  FAILED,
  /** It was never run. */
  @JsonProperty("skipped")
  SKIPPED
}
