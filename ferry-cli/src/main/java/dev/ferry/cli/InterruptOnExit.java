package dev.ferry.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C (SIGINT) and SIGTERM into an interrupt of the thread that runs the command, and
 * holds the process until that has cleaned up. The JVM itself then exits with 130 or 143.
 */
final class InterruptOnExit {
  /** Longest time a command may take to clean up, in seconds; past that the process just ends. */
  private static final long PATIENCE_SECONDS = 10;

  private final Thread commandThread;
  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicBoolean armed = new AtomicBoolean();

  InterruptOnExit(Thread commandThread) {
    this.commandThread = commandThread;
  }

  void arm() {
    if (armed.compareAndSet(false, true)) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::interruptAndWait, "ferry-interrupt"));
    }
  }

  /** The command returned: an exit from here on is an ordinary one. */
  void finished() {
    finished.countDown();
  }

  private void interruptAndWait() {
    if (finished.getCount() == 0) {
      return;
    }
    commandThread.interrupt();
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("ferry: gave up waiting for the transfer to clean up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
