package dev.ferry.core.internal;

/** Something without a result that may fail. */
@FunctionalInterface
public interface Action<E extends Exception> {
  void run() throws E;
}
