package dev.ferry.core.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call in as many attempts as its {@link Retries} allow. After a failure it gets another carrier.
 * One thread at a time.
 */
public final class RepeatedCall implements AutoCloseable {
  private final Carriers carriers;
  private final Retries.Attempts attempts;
  private final TimeLeft left;
  private @Nullable Carrier carrier;
  private boolean takes;
  private boolean succeeded;

  /** One attempt. */
  @FunctionalInterface
  public interface Attempt<T> {
    /**
     * Runs the attempt.
     *
     * @param left the time that is left of the call; null means no limit
     */
    T run(Carrier carrier, @Nullable Duration left) throws FerryException;
  }

  /** Begins a call with a carrier that is {@linkplain Carriers#take taken}. */
  public static RepeatedCall begin(Carriers carriers, Retries retries, @Nullable Duration timeout) {
    return new RepeatedCall(carriers, retries, timeout, true);
  }

  /**
   * @param timeout time of all attempts together; null means no limit
   * @param takes whether the first carrier may have been used before
   */
  public RepeatedCall(
      Carriers carriers, Retries retries, @Nullable Duration timeout, boolean takes) {
    this.carriers = carriers;
    this.attempts = retries.begin(timeout);
    this.left = new TimeLeft(timeout);
    this.takes = takes;
  }

  /** Returns the carrier of this attempt. */
  public Carrier carrier() throws FerryException {
    Carrier present = carrier;
    if (present == null) {
      present = takes ? carriers.take() : carriers.connect();
      carrier = present;
    }
    return present;
  }

  /** Returns the time that is left of the call; null means no limit. */
  public @Nullable Duration left() {
    return left.get();
  }

  /**
   * Waits until another attempt may begin.
   *
   * @param progress whether the last attempt got further than those before
   * @throws FerryException as {@link Retries.Attempts#again}
   */
  public void again(FerryException failure, boolean progress) throws FerryException {
    release(isAnswer(failure));
    attempts.again(failure, progress);
  }

  /**
   * Begins another attempt at once, whatever the failure is.
   *
   * @throws FerryException as {@link Retries.Attempts#anew}
   */
  public void anew(FerryException failure) throws FerryException {
    release(isAnswer(failure));
    attempts.anew(failure);
  }

  /** Whether the server has answered, so that its connection can be used for other calls. */
  private static boolean isAnswer(FerryException failure) {
    return failure.outage() == null
        && failure.kind() != ErrorKind.CANCELLED
        && failure.kind() != ErrorKind.DEADLINE_EXCEEDED;
  }

  private void release(boolean sound) {
    Carrier used = carrier;
    carrier = null;
    takes = false;
    if (used != null) {
      carriers.release(used, sound);
    }
  }

  /** No further attempt follows: the last one has succeeded. */
  public void succeeded() {
    succeeded = true;
  }

  /**
   * Runs the attempts of the call, and ends it.
   *
   * @param reached how far the call is, if an attempt goes on where the last one was
   */
  public <T> T run(Attempt<T> attempt, LongSupplier reached) throws FerryException {
    try (this) {
      while (true) {
        long before = reached.getAsLong();
        try {
          T result = attempt.run(carrier(), left());
          succeeded();
          return result;
        } catch (FerryException e) {
          again(e, reached.getAsLong() > before);
        }
      }
    }
  }

  /** Ends the call. */
  @Override
  public void close() {
    release(succeeded);
  }
}
