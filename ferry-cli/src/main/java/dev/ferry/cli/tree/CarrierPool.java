package dev.ferry.cli.tree;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.FerryException;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The connections of a command, each used by one action at a time. Until {@link #keep} there is a
 * new one for each action. Thread-safe.
 */
public final class CarrierPool implements Carriers {
  private final Connector connector;
  private final Set<Carrier> running = ConcurrentHashMap.newKeySet();
  private final Deque<Carrier> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean keeps;
  private volatile boolean stopped;

  public CarrierPool(Connector connector) {
    this.connector = connector;
  }

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
   * Keeps connections for later actions, as long as they are sound. Where they are kept already,
   * this changes nothing.
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

  @Override
  public Carrier take() throws FerryException {
    Carrier kept = idle.poll();
    if (kept == null) {
      return connect();
    }
    running.add(kept);
    return kept;
  }

  @Override
  public Carrier connect() throws FerryException {
    Carrier carrier = connector.connect();
    running.add(carrier);
    return carrier;
  }

  @Override
  public Carrier connectAfterStop() throws FerryException {
    return connector.connect();
  }

  @Override
  public void release(Carrier carrier, boolean sound) {
    running.remove(carrier);
    if (sound && keeps && !stopped) {
      idle.push(carrier);
    } else {
      carrier.close();
    }
  }

  /** Closes the connections of running actions, which then fail. */
  public void stop() {
    stopped = true;
    running.forEach(Carrier::close);
  }
}
