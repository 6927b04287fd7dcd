package dev.ferry.suites.rival;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Lets an interrupt end the blocking socket calls of one thread, which heed none themselves. An
 * operation of any file channel ends the region silently: enter it again after each.
 */
public final class InterruptRegion extends AbstractInterruptibleChannel {
  private final Runnable onInterrupt;

  /**
   * @param onInterrupt makes the socket call fail; on the interrupting thread, or at once if the
   *     thread was interrupted before it entered
   */
  public InterruptRegion(Runnable onInterrupt) {
    this.onInterrupt = onInterrupt;
  }

  public void enter() {
    begin();
  }

  public void leave() {
    try {
      end(true);
    } catch (AsynchronousCloseException e) {
      // The socket call has failed. What made it fail may have cleared the interrupt status.
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void implCloseChannel() {
    onInterrupt.run();
  }
}
