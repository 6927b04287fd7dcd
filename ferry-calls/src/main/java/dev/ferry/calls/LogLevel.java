package dev.ferry.calls;

/** How much a log record matters; from little to much. */
public enum LogLevel {
  /** For whoever follows each step. */
  TRACE,
  /** For whoever looks for a fault. */
  DEBUG,
  /** Something happened that is meant to. */
  INFO,
  /** Something happened that is not meant to, and was dealt with. */
  WARN,
  /** Something failed. */
  ERROR
}
