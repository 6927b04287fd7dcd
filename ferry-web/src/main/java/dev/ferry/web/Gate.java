package dev.ferry.web;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a call tells its listener until the caller has asked for something.
 *
 * <p>Armeria says that a call is ready before anybody has asked for its answer. Whoever sends at
 * once may be refused before the refusal is waited for: the call then trips over its own closed
 * request, and what the server said is lost. Thread-safe.
 */
final class Gate implements Executor {
  private final Executor executor;
  private @Nullable Queue<Runnable> held = new ArrayDeque<>();

  Gate(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (held != null) {
        held.add(task);
        return;
      }
    }
    executor.execute(task);
  }

  /** Lets everything through, from now on. */
  void open() {
    Queue<Runnable> tasks;
    synchronized (this) {
      tasks = held;
      held = null;
    }
    if (tasks != null) {
      tasks.forEach(executor::execute);
    }
  }
}
