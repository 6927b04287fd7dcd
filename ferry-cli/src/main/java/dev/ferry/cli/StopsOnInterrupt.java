package dev.ferry.cli;

/**
 * A command that cleans up and returns soon after its thread was interrupted, which is what Ctrl-C
 * then does.
 */
interface StopsOnInterrupt {
  /**
   * Ends what an interrupt did not reach: called on another thread when the command has not
   * returned a moment after it.
   */
  default void stop() {}
}
