package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers between the object store and the transport. All of a store together have a limit,
 * and they are used again. Thread-safe.
 */
final class Slabs {
  private static final int SMALLEST = 64 * 1024;

  /** How long a transfer waits for memory that other transfers use. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  /** How long a new transfer waits. */
  private static final Duration ADMIT = Duration.ofSeconds(5);

  /** New transfers that wait at most. */
  private static final int MOST_ADMITTING = 64;

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final long most;

  /** Unused buffers, by the logarithm of their size. */
  private final Deque<ByteBuffer>[] unused;

  private long allocated;
  private long used;

  /** Transfers that have begun and wait. */
  private int waiting;

  /** Transfers that begin and wait. */
  private int admitting;

  /**
   * @param most bytes of all buffers together, those that are unused included
   */
  Slabs(long most) {
    this.most = most;
    @SuppressWarnings({"unchecked", "rawtypes"})
    Deque<ByteBuffer>[] sizes = new Deque[Integer.SIZE];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = new ArrayDeque<>();
    }
    this.unused = sizes;
  }

  /** Returns the bytes of the buffers that were taken and not given back. */
  synchronized long used() {
    return used;
  }

  /** Returns whether transfers use more than half of the memory. */
  synchronized boolean isScarce() {
    return used > most / 2;
  }

  /** Returns whether a buffer of this size can be had at once. */
  synchronized boolean has(int bytes) {
    return !unused[size(bytes)].isEmpty() || allocated + (1L << size(bytes)) <= most;
  }

  /**
   * Takes a buffer for a transfer that has begun. The caller gives it back.
   *
   * @param bytes from 1 to 2^30
   * @return a buffer with this limit
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if other transfers use all the memory
   *     for too long, or with {@link ErrorKind#CANCELLED} if the thread is interrupted
   */
  synchronized ByteBuffer take(int bytes) throws FerryException {
    waiting++;
    try {
      return take(bytes, WAIT, false);
    } finally {
      waiting--;
      if (waiting == 0) {
        notifyAll();
      }
    }
  }

  /**
   * Takes a buffer for a transfer that begins, as {@link #take(int)}. Those that have begun come
   * first: what a client has sent of an upload that cannot begin keeps others on the same
   * connection from going on, so this one soon fails.
   */
  synchronized ByteBuffer admit(int bytes) throws FerryException {
    admitting++;
    try {
      // Each that waits has a thread.
      return take(bytes, admitting > MOST_ADMITTING ? Duration.ZERO : ADMIT, true);
    } finally {
      admitting--;
    }
  }

  /**
   * @param last whether all others come first
   */
  private ByteBuffer take(int bytes, Duration longest, boolean last) throws FerryException {
    int size = size(bytes);
    long deadline = System.nanoTime() + longest.toNanos();
    while (true) {
      ByteBuffer buffer = last && waiting > 0 ? null : find(size);
      if (buffer != null) {
        used += 1L << size;
        return buffer.clear().limit(bytes);
      }
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new FerryException(
                ErrorKind.OVERLOADED, "other transfers use all the memory of the store; try again")
            .withRetryAfter(TRY_AGAIN);
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        throw FerryException.interrupted("the server is closing", e);
      }
    }
  }

  private @Nullable ByteBuffer find(int size) {
    ByteBuffer buffer = unused[size].poll();
    if (buffer != null) {
      return buffer;
    }
    makeRoom(1L << size);
    if (allocated + (1L << size) > most) {
      return null;
    }
    try {
      buffer = ByteBuffer.allocateDirect(1 << size);
      allocated += 1L << size;
      return buffer;
    } catch (OutOfMemoryError e) {
      // Others use the direct memory of the JVM. A buffer that is given back will do.
      return null;
    }
  }

  /** Drops unused buffers of other sizes, whose memory the JVM then reclaims. */
  private void makeRoom(long bytes) {
    for (int i = unused.length - 1; i >= 0 && allocated + bytes > most; i--) {
      while (allocated + bytes > most && unused[i].poll() != null) {
        allocated -= 1L << i;
      }
    }
  }

  /** Gives a buffer back. */
  synchronized void give(ByteBuffer buffer) {
    unused[size(buffer.capacity())].push(buffer);
    used -= buffer.capacity();
    notifyAll();
  }

  /** Returns the size of the buffer that is taken for a number of bytes. */
  static int bytes(int bytes) {
    return 1 << size(bytes);
  }

  private static int size(int bytes) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(SMALLEST, bytes) - 1);
  }
}
