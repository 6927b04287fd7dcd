package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.LocalAttributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file says about who may do what. The file is looked at once a second at most, when it is
 * asked for, and read again if it or those who may write to it have changed.
 *
 * <ul>
 *   <li>If the file is missing, it permits nothing from then on.
 *   <li>If it cannot be used for another reason, what it said before stays for {@link #KEEP_NANOS}.
 *       After that it permits nothing. A warning says so when this begins and when it ends, and
 *       every {@link #WARN_NANOS} while it lasts.
 * </ul>
 *
 * Thread-safe.
 *
 * @param <T> what the file says
 */
public final class WatchedFile<T> {
  /** Minimum time from one look at the file to the next. */
  public static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long the contents from before stay if the file cannot be used. */
  public static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Time from one warning to the next, if they are the same. */
  public static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

  private final Path file;
  private final Reader<T> reader;
  private final T nothing;
  private final LongSupplier nanoTime;
  private final AtomicLong nextLook;
  private String version;
  private volatile T current;
  private @Nullable Failing failing;

  /** Reads a file. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Reads it.
     *
     * @throws FerryException if it cannot be used; with {@link ErrorKind#NOT_FOUND} only if it is
     *     missing
     */
    T read(Path file) throws FerryException;
  }

  /** Since when the file cannot be used, and the last warning about it. */
  private record Failing(long since, long warned, String warning) {}

  /**
   * Reads a file for the first time.
   *
   * @param nothing what permits nothing
   * @param nanoTime the clock
   * @throws FerryException if the file cannot be used
   */
  public WatchedFile(Path file, T nothing, LongSupplier nanoTime, Reader<T> reader)
      throws FerryException {
    this.file = file;
    this.reader = reader;
    this.nothing = nothing;
    this.nanoTime = nanoTime;
    this.nextLook = new AtomicLong(nanoTime.getAsLong() + LOOK_NANOS);
    this.version = version(file);
    this.current = reader.read(file);
  }

  /** Returns what the file says, or said at the last look. May block on the disk. */
  public T current() {
    long now = nanoTime.getAsLong();
    long due = nextLook.get();
    if (now - due >= 0 && nextLook.compareAndSet(due, now + LOOK_NANOS)) {
      look(now);
    }
    return current;
  }

  private synchronized void look(long now) {
    // The version is taken before the contents: a change in between is seen the next time.
    String found = version(file);
    if (failing == null && found.equals(version)) {
      return;
    }
    version = found;
    try {
      current = reader.read(file);
      if (failing != null) {
        LOG.info("{}: can be used again", file);
        failing = null;
      }
    } catch (FerryException e) {
      Failing before = failing;
      long since = before == null ? now : before.since;
      boolean over = e.kind() == ErrorKind.NOT_FOUND || now - since >= KEEP_NANOS;
      if (over) {
        current = nothing;
      }
      String warning =
          e.getMessage()
              + (over
                  ? ". Until then nobody has the permissions of this file"
                  : ". Until then the permissions from before stay, for a minute at most");
      if (before == null || !before.warning.equals(warning) || now - before.warned >= WARN_NANOS) {
        LOG.warn("{}", warning);
        failing = new Failing(since, now, warning);
      }
    }
  }

  /** Returns a text that changes with the file and with who may write to it. */
  private static String version(Path file) {
    try {
      return LocalAttributes.read(file).version() + FileModes.distrust(file);
    } catch (IOException e) {
      // To read the file will fail as well, and say so.
      return "";
    }
  }
}
