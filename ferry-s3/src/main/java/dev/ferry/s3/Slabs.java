package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers between the object store and the transport. All of a store together have a limit,
 * which is divided as {@link CallerShares}, and they are used again. Thread-safe.
 */
final class Slabs {
  private static final int SMALLEST = 64 * 1024;

  /** How long a transfer waits for memory that other transfers use. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  /** How long a new transfer waits. */
  private static final Duration ADMIT = Duration.ofSeconds(5);

  /** New transfers that wait at most. One holder has half of them. */
  private static final int MOST_ADMITTING = 128;

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final CallerShares shares;
  private final CallerShares admitting = new CallerShares(MOST_ADMITTING);

  /** Unused buffers, by the logarithm of their size. */
  private final Deque<ByteBuffer>[] unused;

  private long allocated;

  /** The number of transfers that have begun and wait, by their holders. */
  private final Map<String, Integer> waiting = new HashMap<>();

  /**
   * @param most bytes of all buffers together, those that are unused included
   */
  Slabs(long most) {
    this.shares = new CallerShares(most);
    @SuppressWarnings({"unchecked", "rawtypes"})
    Deque<ByteBuffer>[] sizes = new Deque[Integer.SIZE];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = new ArrayDeque<>();
    }
    this.unused = sizes;
  }

  /** Returns the bytes of the buffers that were taken and not given back. */
  long used() {
    return shares.all() - shares.left();
  }

  /** Returns the share of a holder. */
  Share share(String holder) {
    return new Share(holder);
  }

  /** The buffers that the transfers of one holder may take. Thread-safe. */
  final class Share {
    private final String holder;

    private Share(String holder) {
      this.holder = holder;
    }

    /** Returns whether transfers use more than half of the memory, or of that of the holder. */
    boolean isScarce() {
      return shares.left() < shares.all() / 2 || shares.most(holder) < shares.held(holder);
    }

    /** Returns whether a buffer of this size can be had at once. */
    boolean has(int bytes) {
      return shares.most(holder) >= bytes(bytes);
    }

    /**
     * Takes a buffer for a transfer that has begun. The caller gives it back.
     *
     * @param bytes from 1 to 2^30
     * @return a buffer with this limit
     * @throws FerryException with {@link ErrorKind#OVERLOADED} if other transfers use all the
     *     memory for too long, or with {@link ErrorKind#CANCELLED} if the thread is interrupted
     */
    ByteBuffer take(int bytes) throws FerryException {
      synchronized (Slabs.this) {
        waiting.merge(holder, 1, Integer::sum);
        try {
          return take(bytes, WAIT, false);
        } finally {
          if (waiting.merge(holder, -1, Integer::sum) == 0) {
            waiting.remove(holder);
            Slabs.this.notifyAll();
          }
        }
      }
    }

    /**
     * Takes a buffer for a transfer that begins, as {@link #take(int)}. Those of the holder that
     * have begun come first: what a client has sent of an upload that cannot begin keeps others on
     * the same connection from going on, so this one soon fails.
     */
    ByteBuffer admit(int bytes) throws FerryException {
      // Each that waits has a thread.
      boolean waits = admitting.take(holder, 1);
      try {
        return take(bytes, waits ? ADMIT : Duration.ZERO, true);
      } finally {
        if (waits) {
          admitting.giveBack(holder, 1);
        }
      }
    }

    /**
     * @param last whether all others of the holder come first
     */
    private ByteBuffer take(int bytes, Duration longest, boolean last) throws FerryException {
      synchronized (Slabs.this) {
        int size = size(bytes);
        long deadline = System.nanoTime() + longest.toNanos();
        while (true) {
          ByteBuffer buffer = last && waiting.containsKey(holder) ? null : find(size);
          if (buffer != null) {
            return buffer.clear().limit(bytes);
          }
          long left = (deadline - System.nanoTime()) / 1_000_000;
          if (left <= 0) {
            throw new FerryException(
                    ErrorKind.OVERLOADED,
                    "other transfers use all the memory of the store; try again")
                .withRetryAfter(TRY_AGAIN);
          }
          try {
            Slabs.this.wait(left);
          } catch (InterruptedException e) {
            throw FerryException.interrupted("the server is closing", e);
          }
        }
      }
    }

    private @Nullable ByteBuffer find(int size) {
      if (!shares.take(holder, 1L << size)) {
        return null;
      }
      ByteBuffer buffer = unused[size].poll();
      if (buffer == null) {
        buffer = allocate(size);
      }
      if (buffer == null) {
        shares.giveBack(holder, 1L << size);
      }
      return buffer;
    }

    /** Gives a buffer back. */
    void give(ByteBuffer buffer) {
      synchronized (Slabs.this) {
        unused[size(buffer.capacity())].push(buffer);
        shares.giveBack(holder, buffer.capacity());
        Slabs.this.notifyAll();
      }
    }
  }

  /** Allocates a buffer that a share has room for. */
  private @Nullable ByteBuffer allocate(int size) {
    makeRoom(1L << size);
    try {
      ByteBuffer buffer = ByteBuffer.allocateDirect(1 << size);
      allocated += 1L << size;
      return buffer;
    } catch (OutOfMemoryError e) {
      // Others use the direct memory of the JVM. A buffer that is given back will do.
      return null;
    }
  }

  /** Drops unused buffers of other sizes, whose memory the JVM then reclaims. */
  private void makeRoom(long bytes) {
    for (int i = unused.length - 1; i >= 0 && allocated + bytes > shares.all(); i--) {
      while (allocated + bytes > shares.all() && unused[i].poll() != null) {
        allocated -= 1L << i;
      }
    }
  }

  /** Returns the size of the buffer that is taken for a number of bytes. */
  static int bytes(int bytes) {
    return 1 << size(bytes);
  }

  private static int size(int bytes) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(SMALLEST, bytes) - 1);
  }
}
