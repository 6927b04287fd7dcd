package dev.ferry.calls;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a server has room for at a time: calls, and bytes of long answers that are on their way to
 * clients which may be slow to take them. What there is no room for is refused at once, and short
 * answers still have theirs where long ones do not. Thread-safe.
 */
public final class ConcurrencyLimiter {
  /** Calls at a time, of all connections. */
  public static final int CALLS = 1_000;

  /**
   * Bytes of long answers at a time, where the heap, and with it direct memory, is large enough.
   */
  private static final long BYTES = 256L << 20;

  /** Answers up to so many bytes are bounded by the number of calls, and not counted. */
  private static final int SHORT = 16 * 1024;

  private final int mostCalls;
  private final long mostBytes;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /** With room for {@value #CALLS} calls, and for 256 MiB or half of the largest heap. */
  public ConcurrencyLimiter() {
    this(CALLS, Math.min(BYTES, Runtime.getRuntime().maxMemory() / 2));
  }

  /**
   * With room of another size.
   *
   * @param mostCalls at a time
   * @param mostBytes of long answers at a time; one that is longer alone is taken where it is alone
   */
  public ConcurrencyLimiter(int mostCalls, long mostBytes) {
    this.mostCalls = mostCalls;
    this.mostBytes = mostBytes;
  }

  /**
   * Lets a call in, until {@link #leave}.
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

  /** A call that was let in is over. */
  public void leave() {
    calls.decrementAndGet();
  }

  /**
   * Takes room for an answer.
   *
   * @param answerBytes that are held until the client has taken them
   * @return what to {@link #give} back then: 0 for a short answer, which takes none
   * @throws FerryException with {@link ErrorKind#OVERLOADED}
   */
  public long take(long answerBytes) throws FerryException {
    if (answerBytes <= SHORT) {
      return 0;
    }
    long held = bytes.get();
    while (held == 0 || held + answerBytes <= mostBytes) {
      long seen = bytes.compareAndExchange(held, held + answerBytes);
      if (seen == held) {
        return answerBytes;
      }
      held = seen;
    }
    throw new FerryException(
        ErrorKind.OVERLOADED,
        "%d bytes of answers wait for their clients, and %d more do not fit; try again in a moment"
            .formatted(held, answerBytes));
  }

  /**
   * Gives room back: an answer was taken, or given up.
   *
   * @param taken as {@link #take} returned it
   */
  public void give(long taken) {
    if (taken > 0) {
      bytes.addAndGet(-taken);
    }
  }

  /** Calls that are running. */
  public int calls() {
    return calls.get();
  }

  /** Bytes of long answers that wait for their clients. */
  public long bytes() {
    return bytes.get();
  }
}
