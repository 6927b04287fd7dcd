package dev.ferry.suites.calls.service.grpc;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Splits the indexes from 0 to a count into batches of equal length; the last one may be shorter.
 * Not thread-safe.
 */
final class RowBatches<T> implements Iterator<T> {
  private final long count;
  private final int size;
  private final Maker<T> maker;
  private long position;

  /** Creates an element from a batch of indexes. */
  @FunctionalInterface
  interface Maker<T> {
    T of(long first, int count);
  }

  /**
   * Creates an iterator at the first index.
   *
   * @param count number of indexes
   * @param size indexes per batch, at least 1
   */
  RowBatches(long count, int size, Maker<T> maker) {
    this.count = count;
    this.size = size;
    this.maker = maker;
  }

  @Override
  public boolean hasNext() {
    return position < count;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are " + count);
    }
    int length = (int) Math.min(size, count - position);
    long first = position;
    position += length;
    return maker.of(first, length);
  }
}
