package dev.ferry.core.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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
  private boolean reuses;
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
   * Begins a call.
   *
   * @param timeout time of all attempts together; null means no limit
   * @param reuses whether the first carrier may have been used before
   */
  public RepeatedCall(
      Carriers carriers, Retries retries, @Nullable Duration timeout, boolean reuses) {
    this.carriers = carriers;
    this.attempts = retries.begin(timeout);
    this.left = new TimeLeft(timeout);
    this.reuses = reuses;
  }

  /** Returns the carrier of this attempt. */
  public Carrier carrier() throws FerryException {
    Carrier present = carrier;
    if (present == null) {
      present = reuses ? carriers.take() : carriers.connect();
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
    release(isAboutNames(failure));
    attempts.again(failure, progress);
  }

  /**
   * Begins another attempt at once, whatever the failure is.
   *
   * @throws FerryException as {@link Retries.Attempts#anew}
   */
  public void anew(FerryException failure) throws FerryException {
    release(false);
    attempts.anew(failure);
  }

  /** Whether the server has answered, and no attempt follows. Its connection is sound then. */
  private static boolean isAboutNames(FerryException failure) {
    return failure.outage() == null
        && failure.retryAfter() == null
        && switch (failure.kind()) {
          case ALREADY_EXISTS, NOT_FOUND, NOT_EMPTY, INVALID_PATH, PERMISSION_DENIED -> true;
          default -> false;
        };
  }

  private void release(boolean sound) {
    Carrier used = carrier;
    carrier = null;
    reuses = false;
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
    return run(attempt, reached, failure -> true);
  }

  /**
   * Runs the attempts of the call, and ends it.
   *
   * @param mayRepeat whether another attempt may follow a failure
   */
  public <T> T run(Attempt<T> attempt, LongSupplier reached, Predicate<FerryException> mayRepeat)
      throws FerryException {
    try (this) {
      while (true) {
        long before = reached.getAsLong();
        try {
          T result = attempt.run(carrier(), left());
          succeeded();
          return result;
        } catch (FerryException e) {
          if (!mayRepeat.test(e)) {
            throw e;
          }
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
