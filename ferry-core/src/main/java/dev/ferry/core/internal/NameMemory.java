package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/**
 * Memory for the names that long lists and archives hold until they end, which all of a store or of
 * a port have in common, divided as {@link CallerShares}. So many of them at once cannot use up the
 * heap. Thread-safe.
 */
public final class NameMemory {
  private static final int MOST_KIB = 512 << 10;

  /** KiB that a share takes at once. */
  private static final int STEP_KIB = 16;

  private static final int KIB = 1024;

  private final CallerShares kib;

  /**
   * @param kib KiB that all shares together may have
   */
  public NameMemory(int kib) {
    this.kib = new CallerShares(kib);
  }

  /** Returns 512 MiB; a quarter of the heap if that is less. */
  public static NameMemory ofTheHeap() {
    return new NameMemory((int) Math.min(MOST_KIB, Runtime.getRuntime().maxMemory() / 4 / KIB));
  }

  /** Returns the bytes that all shares together may have. */
  public long bytes() {
    return kib.all() * KIB;
  }

  /** Returns the KiB that no share has. */
  public long freeKib() {
    return kib.left();
  }

  /**
   * Begins a share, which has nothing yet. The caller closes it.
   *
   * @param holder who has it
   * @param name what it is for, in messages
   */
  public Share share(String holder, String name) {
    return new Share(holder, name);
  }

  /** What one list or archive has of the memory. Thread-safe. */
  public final class Share implements AutoCloseable {
    private final String holder;
    private final String name;
    private long takenKib;
    private boolean closed;

    private Share(String holder, String name) {
      this.holder = holder;
      this.name = name;
    }

    /**
     * Takes as much as is missing.
     *
     * @param bytes that the share then has, at least
     * @throws FerryException with {@link ErrorKind#OVERLOADED} if others, or others of the holder,
     *     leave too little, {@link ErrorKind#TOO_LARGE} if its share is too little, or {@link
     *     ErrorKind#CANCELLED} if the share is closed
     */
    public synchronized void growTo(long bytes) throws FerryException {
      if (closed) {
        throw new FerryException(ErrorKind.CANCELLED, name + ": was closed");
      }
      while (takenKib * KIB < bytes) {
        if (takenKib + STEP_KIB > CallerShares.most(holder, kib.all(), 0)) {
          throw new FerryException(
              ErrorKind.TOO_LARGE,
              name + ": has too many names for the server's memory; ask for a folder in it");
        }
        if (!kib.take(holder, STEP_KIB)) {
          throw new FerryException(
              ErrorKind.OVERLOADED,
              name + ": the server is giving too many long lists; try again in a moment");
        }
        takenKib += STEP_KIB;
      }
    }

    /** Gives all back. A second call has no effect. */
    @Override
    public synchronized void close() {
      closed = true;
      kib.giveBack(holder, takenKib);
      takenKib = 0;
    }
  }
}
