package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The result of a row. */
public enum Status {
  /** All operations succeeded and were checked. */
  @JsonProperty("ok")
  OK,
  /** An operation failed or contradicted the label of the row. */
  @JsonProperty("failed")
  FAILED,
  /** The row was not run. */
  @JsonProperty("skipped")
  SKIPPED
}
