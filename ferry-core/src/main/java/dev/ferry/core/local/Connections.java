package dev.ferry.core.local;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.RepeatedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connections of a download. Each is replaced after a failure. Thread-safe. */
final class Connections {
  private final Carriers carriers;
  private final CallLimits limits;
  private final Retries retries;

  // The lock of this object guards the following.
  private @Nullable Carrier first;
  private boolean firstFailed;
  private final List<Carrier> others = new ArrayList<>();
  private int waiting;

  /**
   * @param limits for the calls of all connections that transfer no file
   */
  Connections(Carriers carriers, CallLimits limits, Retries retries) {
    this.carriers = carriers;
    this.limits = limits;
    this.retries = retries;
  }

  /**
   * Begins with the first carrier, which several connections may use.
   *
   * @param steps no carrier is opened after their end
   * @param timeout time from now in which attempts begin; null means no limit
   */
  Connection first(Steps steps, @Nullable Duration timeout) {
    return new Connection(steps, timeout, true);
  }

  /** Begins with a carrier of its own. */
  Connection another(Steps steps, @Nullable Duration timeout) {
    return new Connection(steps, timeout, false);
  }

  /** Closes all carriers but the first. */
  void closeOthers() {
    List<Carrier> left;
    synchronized (this) {
      left = List.copyOf(others);
      others.clear();
    }
    left.forEach(carrier -> carriers.release(carrier, false));
  }

  /**
   * Gives the first carrier back.
   *
   * @param done whether the download has succeeded
   */
  synchronized void end(boolean done) {
    if (first != null) {
      carriers.release(first, done && !firstFailed);
    }
  }

  /** One connection. One thread at a time. */
  final class Connection implements Carriers {
    private final Steps steps;
    private final RepeatedCall call;

    /** Whether no other connection waited when this one began to wait. */
    private boolean firstToWait;

    private Connection(Steps steps, @Nullable Duration timeout, boolean takesFirst) {
      this.steps = steps;
      this.call = new RepeatedCall(this, retries.withListener(this::tell), timeout, takesFirst);
    }

    /** If the server goes away, all connections fail. The first of them says so. */
    private void tell(FerryException failure, Duration delay) throws FerryException {
      if (firstToWait) {
        retries.listener().again(failure, delay);
      }
    }

    /** Returns the carrier, which connects at its first call. */
    Carrier carrier() throws FerryException {
      return call.carrier();
    }

    @Override
    public Carrier take() throws FerryException {
      synchronized (Connections.this) {
        Carrier present = first;
        if (present == null) {
          present = carriers.take();
          first = present;
        }
        return present;
      }
    }

    @Override
    public Carrier connect() throws FerryException {
      synchronized (Connections.this) {
        steps.requireOpen();
        Carrier carrier = carriers.connect();
        others.add(carrier);
        return carrier;
      }
    }

    @Override
    public void release(Carrier carrier, boolean sound) {
      boolean other;
      synchronized (Connections.this) {
        other = others.remove(carrier);
        firstFailed |= carrier == first && !sound;
      }
      if (other) {
        carriers.release(carrier, sound);
      }
    }

    /**
     * Returns the facts of a file, with its digest.
     *
     * @param now whether the server has to read it for that, whatever it remembers
     */
    FileFacts stat(FileFacts file, StorePath path, Digest.Algorithm algorithm, boolean now)
        throws FerryException {
      while (true) {
        CallLimits limited = limits.withTimeout(call.left());
        try {
          return now
              ? carrier().readNow(path, file.size(), algorithm, limited)
              : carrier().stat(path, algorithm, limited);
        } catch (FerryException e) {
          again(e, false);
        }
      }
    }

    /** Waits until another attempt may begin, as {@link RepeatedCall#again}. */
    void again(FerryException failure, boolean progress) throws FerryException {
      steps.requireOpen();
      synchronized (Connections.this) {
        firstToWait = waiting == 0;
        waiting++;
      }
      try {
        call.again(failure, progress);
      } finally {
        synchronized (Connections.this) {
          waiting--;
        }
      }
    }
  }
}
