package dev.ferry.cli.tree;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.Download.Connector;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The connections of a command, each used by one action at a time. Until {@link #keep} there is a
 * new one for each action. Thread-safe.
 */
public final class CarrierPool {
  private final Set<Carrier> running = ConcurrentHashMap.newKeySet();
  private final Deque<Carrier> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean keeps;

  /** Uses a connection. */
  @FunctionalInterface
  public interface Action<T> {
    T run(Carrier carrier) throws FerryException;
  }

  /** Uses a connection, for no result. */
  @FunctionalInterface
  public interface Step {
    void run(Carrier carrier) throws FerryException;
  }

  /** Connections that are kept. */
  @FunctionalInterface
  public interface Kept extends AutoCloseable {
    /** Closes the connections that wait for an action, and keeps no more. */
    @Override
    void close();
  }

  /**
   * Keeps connections for later actions, as long as no action fails on them. Where they are kept
   * already, this changes nothing.
   */
  public Kept keep() {
    if (keeps) {
      return () -> {};
    }
    keeps = true;
    return () -> {
      keeps = false;
      for (Carrier left = idle.poll(); left != null; left = idle.poll()) {
        left.close();
      }
    };
  }

  /** Runs an action with a connection that is kept, or with a new one. */
  public <T> T run(Connector connector, Action<T> action) throws FerryException {
    Carrier kept = idle.poll();
    Carrier carrier = kept == null ? connector.connect() : kept;
    boolean sound = false;
    running.add(carrier);
    try {
      T result = action.run(carrier);
      sound = true;
      return result;
    } finally {
      running.remove(carrier);
      if (sound && keeps) {
        idle.push(carrier);
      } else {
        carrier.close();
      }
    }
  }

  /** Closes the connections of running actions, which then fail. */
  public void stop() {
    running.forEach(Carrier::close);
  }
}
