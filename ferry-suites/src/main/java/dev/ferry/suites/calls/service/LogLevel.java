package dev.ferry.suites.calls.service;

/** Log levels, in ascending order of severity. */
public enum LogLevel {
  /** Individual steps. */
  TRACE,
  /** Information for debugging. */
  DEBUG,
  /** Normal events. */
  INFO,
  /** Unexpected events that were handled. */
  WARN,
  /** Failures. */
  ERROR
}
