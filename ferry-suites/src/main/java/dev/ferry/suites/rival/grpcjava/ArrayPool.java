package dev.ferry.suites.rival.grpcjava;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Reuses byte arrays. The array lengths are powers of two from 256 bytes to 2 MiB. The pool keeps
 * at most {@value #KEPT_PER_SIZE} idle arrays of each size. Thread-safe.
 */
final class ArrayPool {
  private static final int KEPT_PER_SIZE = 64;
  private static final int MIN_SHIFT = 8;
  private static final int MAX_SHIFT = 21;

  private final Queue<byte[]>[] idle;

  @SuppressWarnings({"unchecked", "rawtypes"})
  ArrayPool() {
    idle = new Queue[MAX_SHIFT - MIN_SHIFT + 1];
    for (int i = 0; i < idle.length; i++) {
      idle[i] = new ArrayBlockingQueue<>(KEPT_PER_SIZE);
    }
  }

  /** Returns an array of at least this length. Its content is undefined. */
  byte[] rent(int length) {
    int shift = Math.max(MIN_SHIFT, 32 - Integer.numberOfLeadingZeros(Math.max(length, 1) - 1));
    if (shift > MAX_SHIFT) {
      return new byte[length];
    }
    byte[] array = idle[shift - MIN_SHIFT].poll();
    return array == null ? new byte[1 << shift] : array;
  }

  /** Returns a rented array to the pool. The caller must not use it any more. */
  void giveBack(byte[] array) {
    int shift = Integer.numberOfTrailingZeros(array.length);
    if (array.length == 1 << shift && shift >= MIN_SHIFT && shift <= MAX_SHIFT) {
      // If the queue is full, the garbage collector frees this array.
      idle[shift - MIN_SHIFT].offer(array);
    }
  }
}
