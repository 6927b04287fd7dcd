package dev.ferry.compress;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A pool of idle compressors or decompressors. Thread-safe. */
final class IdlePool<T> {
  private final Supplier<T> maker;
  private final Consumer<T> closer;
  private final int bound;
  private final AtomicInteger open;
  private final Deque<T> idle = new ArrayDeque<>();
  private boolean closed;

  /**
   * Creates an empty pool.
   *
   * @param bound maximum number of idle instances
   * @param open counts instances from their creation until they are closed
   */
  IdlePool(Supplier<T> maker, Consumer<T> closer, int bound, AtomicInteger open) {
    this.maker = maker;
    this.closer = closer;
    this.bound = bound;
    this.open = open;
  }

  /**
   * Returns the most recently used instance, because its memory may still be cached, or a new one.
   */
  T take() {
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the pool is closed");
      }
      T codec = idle.poll();
      if (codec != null) {
        return codec;
      }
    }
    T codec = maker.get();
    open.incrementAndGet();
    return codec;
  }

  void giveBack(T codec) {
    synchronized (this) {
      if (!closed && idle.size() < bound) {
        idle.push(codec);
        return;
      }
    }
    end(codec);
  }

  void close() {
    List<T> rest;
    synchronized (this) {
      closed = true;
      rest = List.copyOf(idle);
      idle.clear();
    }
    rest.forEach(this::end);
  }

  private void end(T codec) {
    closer.accept(codec);
    open.decrementAndGet();
  }
}
