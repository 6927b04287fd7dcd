package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.RecentMap;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients wait that send wrong passwords: after some for a name from an address, and after
 * more for any names from the address, each one doubles the time in which none is looked at. It
 * knows the last {@value #MAX_KEYS} of them, and forgets them after a while. All ports of the same
 * {@link CountedCallers} count together. Thread-safe.
 *
 * <p>A name alone does not count, since anyone could then keep its caller out.
 */
final class PasswordGuesses {
  static final int FREE_FOR_NAME = 5;
  static final int FREE_FOR_ADDRESS = 50;
  private static final int MAX_KEYS = 4096;
  private static final int MAX_DOUBLINGS = 6;
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final LongSupplier nanoTime;
  private final Map<Key, Guesses> known = new RecentMap<>(MAX_KEYS);

  private record Key(String address, @Nullable String name) {}

  private record Guesses(int wrong, long last, Duration pause) {}

  /**
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  PasswordGuesses(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Checks that a password for a name may be looked at now.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} and the time to wait
   */
  synchronized void requireName(InetAddress address, String name) throws FerryException {
    require(keys(address, name)[0]);
  }

  /** The same for an address. */
  synchronized void requireAddress(InetAddress address) throws FerryException {
    require(keys(address, null)[1]);
  }

  private void require(Key key) throws FerryException {
    Guesses guesses = known.get(key);
    Duration left = guesses == null ? Duration.ZERO : guesses.pause().minus(since(guesses));
    if (left.compareTo(Duration.ZERO) > 0) {
      throw new FerryException(
              ErrorKind.OVERLOADED, "too many wrong passwords; try again in a moment")
          .withRetryAfter(left);
    }
  }

  private Duration since(Guesses guesses) {
    return Duration.ofNanos(nanoTime.getAsLong() - guesses.last());
  }

  private static Key[] keys(InetAddress address, @Nullable String name) {
    String text = CallerShares.of(address);
    return new Key[] {new Key(text, name), new Key(text, null)};
  }

  /**
   * Counts a wrong password: for the name in any case, and for the address unless it waits.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} and the time to wait if it does
   */
  synchronized void wrong(InetAddress address, String name) throws FerryException {
    Key[] keys = keys(address, name);
    count(keys[0]);
    requireAddress(address);
    count(keys[1]);
  }

  private void count(Key key) {
    Guesses before = known.get(key);
    boolean counts = before != null && since(before).compareTo(FORGOTTEN) < 0;
    int wrong = before != null && counts ? before.wrong() + 1 : 1;
    int beyond = wrong - (key.name() == null ? FREE_FOR_ADDRESS : FREE_FOR_NAME);
    Duration doubled = Duration.ofSeconds(1L << Math.max(0, Math.min(beyond, MAX_DOUBLINGS)));
    Duration pause = beyond < 0 ? Duration.ZERO : doubled.compareTo(MOST) < 0 ? doubled : MOST;
    known.put(key, new Guesses(wrong, nanoTime.getAsLong(), pause));
  }

  /** Forgets the wrong passwords for a name from an address. */
  synchronized void right(InetAddress address, String name) {
    known.remove(keys(address, name)[0]);
  }
}
