package dev.ferry.suites.calls.service;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the concurrent calls of a server, and the bytes of long responses that wait for slow
 * clients. Calls beyond a limit are rejected immediately. Short responses are not limited by bytes.
 * Thread-safe.
 */
public final class ConcurrencyLimiter {
  /** Default maximum number of concurrent calls on all connections. */
  public static final int CALLS = 1_000;

  /** Bytes of long responses at a time, if the heap, and with it direct memory, is large enough. */
  private static final long BYTES = 256L << 20;

  /** Responses up to this many bytes are limited by the number of calls, and not counted. */
  private static final int SHORT = 16 * 1024;

  private final int mostCalls;
  private final long mostBytes;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Creates a limiter for {@value #CALLS} calls, and for 256 MiB or half of the maximum heap if
   * that is less.
   */
  public ConcurrencyLimiter() {
    this(CALLS, Math.min(BYTES, Runtime.getRuntime().maxMemory() / 2));
  }

  /**
   * Creates a limiter.
   *
   * @param mostCalls maximum number of concurrent calls
   * @param mostBytes maximum bytes of pending long responses; a longer response is accepted only
   *     while no other is pending
   */
  public ConcurrencyLimiter(int mostCalls, long mostBytes) {
    this.mostCalls = mostCalls;
    this.mostBytes = mostBytes;
  }

  /**
   * Admits a call, until {@link #leave}.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED}
   */
  public void enter() throws FerryException {
    if (calls.incrementAndGet() > mostCalls) {
      calls.decrementAndGet();
      throw new FerryException(
          ErrorKind.OVERLOADED, mostCalls + " calls are running; try again in a moment");
    }
  }

  /** Ends an admitted call. */
  public void leave() {
    calls.decrementAndGet();
  }

  /**
   * Reserves bytes for a response.
   *
   * @param responseBytes bytes that are held until the client has accepted them
   * @return the argument for {@link #give}; 0 for a short response, which reserves nothing
   * @throws FerryException with {@link ErrorKind#OVERLOADED}
   */
  public long take(long responseBytes) throws FerryException {
    if (responseBytes <= SHORT) {
      return 0;
    }
    long held = bytes.get();
    while (held == 0 || held + responseBytes <= mostBytes) {
      long seen = bytes.compareAndExchange(held, held + responseBytes);
      if (seen == held) {
        return responseBytes;
      }
      held = seen;
    }
    throw new FerryException(
        ErrorKind.OVERLOADED,
        "%d bytes of responses wait for their clients, and %d more do not fit; try again in a moment"
            .formatted(held, responseBytes));
  }

  /**
   * Releases reserved bytes after the response was sent or aborted.
   *
   * @param taken the result of {@link #take}
   */
  public void give(long taken) {
    if (taken > 0) {
      bytes.addAndGet(-taken);
    }
  }

  /** Number of running calls. */
  public int calls() {
    return calls.get();
  }

  /** Bytes of pending long responses. */
  public long bytes() {
    return bytes.get();
  }
}
