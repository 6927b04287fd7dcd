package dev.ferry.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C (SIGINT) and SIGTERM into an interrupt of the thread that runs the command, and
 * holds the process until that has cleaned up. The JVM itself then exits with 130 or 143.
 */
final class InterruptOnExit {
  /** Time from the interrupt until the command is stopped by other means, in seconds. */
  private static final long INTERRUPT_SECONDS = 1;

  /** Longest time the clean-up may then take, in seconds; past that the process just ends. */
  private static final long PATIENCE_SECONDS = 10;

  private final Thread commandThread;
  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicBoolean armed = new AtomicBoolean();

  InterruptOnExit(Thread commandThread) {
    this.commandThread = commandThread;
  }

  void arm(StopsOnInterrupt command) {
    if (armed.compareAndSet(false, true)) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> interruptAndWait(command), "ferry-interrupt"));
    }
  }

  /** The command returned: an exit from here on is an ordinary one. */
  void finished() {
    finished.countDown();
  }

  private void interruptAndWait(StopsOnInterrupt command) {
    if (finished.getCount() == 0) {
      return;
    }
    commandThread.interrupt();
    try {
      if (finished.await(INTERRUPT_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
      // java.net.http of JDK 17 swallows an interrupt while it waits for a body.
      command.stop();
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("ferry: gave up waiting for the transfer to clean up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
