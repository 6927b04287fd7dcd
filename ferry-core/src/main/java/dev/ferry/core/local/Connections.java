package dev.ferry.core.local;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.Download.Connector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connections of a download. Each is replaced after a failure. Thread-safe. */
final class Connections implements AutoCloseable {
  private final Carrier first;
  private final Connector connector;
  private final CallLimits limits;
  private final Retries retries;
  private final Steps steps;

  // The lock of this object guards the following.
  private final List<Carrier> open = new ArrayList<>();
  private int waiting;

  /**
   * @param first the carrier of the first connection, which its owner closes
   * @param connector opens all others
   * @param limits for the calls of all connections that transfer no file
   * @param steps no connection is opened after their end
   */
  Connections(Carrier first, Connector connector, CallLimits limits, Retries retries, Steps steps) {
    this.first = first;
    this.connector = connector;
    this.limits = limits;
    this.retries = retries;
    this.steps = steps;
  }

  /**
   * Begins with the first carrier.
   *
   * @param timeout time from now in which attempts begin; null means no limit
   */
  Connection first(@Nullable Duration timeout) {
    return new Connection(first, timeout);
  }

  /** Begins with a carrier of its own. */
  Connection another(@Nullable Duration timeout) {
    return new Connection(null, timeout);
  }

  private synchronized Carrier connect() throws FerryException {
    steps.requireOpen();
    Carrier carrier = connector.connect();
    open.add(carrier);
    return carrier;
  }

  private void disconnect(@Nullable Carrier carrier) {
    boolean own;
    synchronized (this) {
      own = open.remove(carrier);
    }
    if (own && carrier != null) {
      carrier.close();
    }
  }

  /** Closes all carriers but the first. */
  @Override
  public void close() {
    List<Carrier> left;
    synchronized (this) {
      left = List.copyOf(open);
    }
    left.forEach(Carrier::close);
  }

  /** One connection. One thread at a time. */
  final class Connection {
    private final Retries.Attempts attempts;
    private @Nullable Carrier carrier;

    /** Whether no other connection waited when this one began to wait. */
    private boolean firstToWait;

    private Connection(@Nullable Carrier carrier, @Nullable Duration timeout) {
      this.carrier = carrier;
      this.attempts = retries.withListener(this::tell).begin(timeout);
    }

    /** If the server goes away, all connections fail. The first of them says so. */
    private void tell(FerryException failure, Duration delay) throws FerryException {
      if (firstToWait) {
        retries.listener().again(failure, delay);
      }
    }

    /** Returns the carrier, which connects at its first call. */
    Carrier carrier() throws FerryException {
      Carrier present = carrier;
      if (present == null) {
        present = connect();
        carrier = present;
      }
      return present;
    }

    /**
     * Returns the facts of a file, with its digest.
     *
     * @param now whether the server has to read it for that, whatever it remembers
     */
    FileFacts stat(FileFacts file, StorePath path, Digest.Algorithm algorithm, boolean now)
        throws FerryException {
      while (true) {
        try {
          return now
              ? carrier().readNow(path, file.size(), algorithm, limits)
              : carrier().stat(path, algorithm, limits);
        } catch (FerryException e) {
          again(e, false);
        }
      }
    }

    /** Does the same as {@link Retries.Attempts#again}, for an attempt with another carrier. */
    void again(FerryException failure, boolean progress) throws FerryException {
      steps.requireOpen();
      disconnect(carrier);
      // A carrier may refuse calls for a while after a failure to connect.
      carrier = null;
      synchronized (Connections.this) {
        firstToWait = waiting == 0;
        waiting++;
      }
      try {
        attempts.again(failure, progress);
      } finally {
        synchronized (Connections.this) {
          waiting--;
        }
      }
    }
  }
}
