package dev.ferry.calls.grpc;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts so many indexes, from 0, into spans of equal length but for the last. For one thread at a
 * time.
 */
final class RowBatches<T> implements Iterator<T> {
  private final long count;
  private final int size;
  private final Maker<T> maker;
  private long position;

  /** Makes something of a span. */
  @FunctionalInterface
  interface Maker<T> {
    T of(long first, int count);
  }

  /**
   * Begins with the first index.
   *
   * @param count all indexes
   * @param size indexes of a span, at least 1
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
