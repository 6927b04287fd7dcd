package dev.ferry.cli.program;

import dev.ferry.core.internal.DaemonThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * On SIGINT (Ctrl-C), SIGTERM and SIGHUP (terminal closed), interrupts the thread that runs the
 * command, and delays the exit until the command has cleaned up.
 *
 * <p>The JVM then exits with 130, 143 or 129. If {@link StopsOnInterrupt#isDoneWhenTerminated} is
 * true, the program exits with the command's own exit code after SIGTERM. {@link
 * StopsOnInterrupt#terminate} then gives it time until the next signal. A process that was stopped
 * by Ctrl-Z cleans up when it goes on.
 */
final class InterruptOnExit {
  /** Exit code that a shell reports for a process that SIGTERM ended. */
  private static final int TERMINATED = 143;

  /** Seconds from the interrupt until {@link StopsOnInterrupt#stop} is called. */
  private static final long INTERRUPT_SECONDS = 1;

  /** Maximum seconds for the clean-up after that; then the process exits. */
  private static final long PATIENCE_SECONDS = 10;

  private static final long LINE_MILLIS = 500;

  private final Thread commandThread;
  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicBoolean terminated = new AtomicBoolean();

  InterruptOnExit(Thread commandThread) {
    this.commandThread = commandThread;
  }

  void arm(StopsOnInterrupt command) {
    if (armed.compareAndSet(false, true)) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> interruptAndWait(command), "ferry-interrupt"));
      if (command.isDoneWhenTerminated()) {
        TerminationSignal.handle(
            () -> {
              boolean first = terminated.compareAndSet(false, true);
              if (!(first && command.terminate()) && !interruptAndWait(command)) {
                Runtime.getRuntime().halt(TERMINATED);
              }
            });
      }
    }
  }

  /** Records that the command has returned, so that an exit no longer interrupts it. */
  void finished() {
    finished.countDown();
  }

  /** Returns whether the command has returned. */
  private boolean interruptAndWait(StopsOnInterrupt command) {
    if (finished.getCount() == 0) {
      return true;
    }
    commandThread.interrupt();
    try {
      if (finished.await(INTERRUPT_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      // What waits and does not heed an interrupt ends with its connection.
      command.stop();
      if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      sayThatItGaveUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Nobody may read it, and the exit does not wait for a reader. */
  private static void sayThatItGaveUp() throws InterruptedException {
    DaemonThreads.start(
            "ferry-gave-up",
            () -> System.err.println("ferry: gave up waiting for the transfer to clean up"))
        .join(LINE_MILLIS);
  }
}
