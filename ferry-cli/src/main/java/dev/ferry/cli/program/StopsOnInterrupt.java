package dev.ferry.cli.program;

/**
 * A command that cleans up and returns soon after its thread was interrupted, which is what Ctrl-C
 * then does.
 */
public interface StopsOnInterrupt {
  /**
   * Ends what an interrupt did not reach: called on another thread when the command has not
   * returned a moment after it.
   */
  default void stop() {}

  /**
   * Whether SIGTERM is how the command is meant to end, as one that serves, so that the exit code
   * is its own; otherwise its work is cut short, which is a failure.
   */
  default boolean isDoneWhenTerminated() {
    return false;
  }
}
