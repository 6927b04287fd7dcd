package dev.ferry.cli.program;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP) into an interrupt of the
 * thread that runs the command, and holds the process until that has cleaned up.
 *
 * <p>The JVM itself then exits with 130, 143 or 129; but a command that has done its work when it
 * is told to end exits with its own code after SIGTERM.
 */
final class InterruptOnExit {
  /** What a shell reports for a process that SIGTERM ended. */
  private static final int TERMINATED = 143;

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
      if (command.isDoneWhenTerminated()) {
        TerminationSignal.handle(
            () -> {
              if (!interruptAndWait(command)) {
                Runtime.getRuntime().halt(TERMINATED);
              }
            });
      }
    }
  }

  /** The command returned: an exit from here on is an ordinary one. */
  void finished() {
    finished.countDown();
  }

  /** Gives whether the command has returned. */
  private boolean interruptAndWait(StopsOnInterrupt command) {
    if (finished.getCount() == 0) {
      return true;
    }
    commandThread.interrupt();
    try {
      if (finished.await(INTERRUPT_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      // java.net.http of JDK 17 swallows an interrupt while it waits for a body.
      command.stop();
      if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      System.err.println("ferry: gave up waiting for the transfer to clean up");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
