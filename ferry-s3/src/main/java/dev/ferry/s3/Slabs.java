package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Direct buffers between the object store and the transport. All of a store together have a limit,
 * and they are used again. Thread-safe.
 */
final class Slabs {
  private static final int SMALLEST = 64 * 1024;

  /** How long a transfer waits for memory that other transfers use. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final long most;

  /** Unused buffers, by the logarithm of their size. */
  private final Deque<ByteBuffer>[] unused;

  private long allocated;
  private long used;

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

  /** Returns the bytes of all buffers. */
  synchronized long allocated() {
    return allocated;
  }

  /** Returns the bytes of the buffers that were taken and not given back. */
  synchronized long used() {
    return used;
  }

  /** Returns whether a buffer of this size can be had at once. */
  synchronized boolean has(int bytes) {
    return !unused[size(bytes)].isEmpty() || allocated + (1L << size(bytes)) <= most;
  }

  /**
   * Takes a buffer. The caller gives it back.
   *
   * @param bytes from 1 to 2^30
   * @return a buffer with this limit
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if other transfers use all the memory
   *     for too long, or with {@link ErrorKind#CANCELLED} if the thread is interrupted
   */
  synchronized ByteBuffer take(int bytes) throws FerryException {
    int size = size(bytes);
    long deadline = System.nanoTime() + WAIT.toNanos();
    while (true) {
      ByteBuffer buffer = unused[size].poll();
      if (buffer != null) {
        used += 1L << size;
        return buffer.clear().limit(bytes);
      }
      makeRoom(1L << size);
      if (allocated + (1L << size) <= most) {
        allocated += 1L << size;
        used += 1L << size;
        return ByteBuffer.allocateDirect(1 << size).limit(bytes);
      }
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new FerryException(
                ErrorKind.OVERLOADED, "other transfers use all the memory of the store; try again")
            .withRetryAfter(Duration.ofSeconds(1));
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FerryException(ErrorKind.CANCELLED, "the server is closing", e);
      }
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

  private static int size(int bytes) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(SMALLEST, bytes) - 1);
  }
}
