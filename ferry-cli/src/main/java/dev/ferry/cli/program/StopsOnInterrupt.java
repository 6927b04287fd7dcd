package dev.ferry.cli.program;

/**
 * A command that cleans up and returns soon after an interrupt of its thread. Ctrl-C then
 * interrupts it.
 */
public interface StopsOnInterrupt {
  /**
   * Ends work that does not react to the interrupt. Called on another thread if the command has not
   * returned a second after the interrupt.
   */
  default void stop() {}

  /**
   * Whether SIGTERM is the normal way to end the command, as for a server. If so, the exit code is
   * the command's own; otherwise SIGTERM is a failure.
   */
  default boolean isDoneWhenTerminated() {
    return false;
  }

  /**
   * Asks the command to end in its own time, at the first SIGTERM if {@link #isDoneWhenTerminated}.
   * Another signal interrupts it.
   *
   * @return whether it will end; if false, it is interrupted
   */
  default boolean terminate() {
    return false;
  }
}
