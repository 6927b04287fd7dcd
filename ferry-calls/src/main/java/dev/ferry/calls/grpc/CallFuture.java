package dev.ferry.calls.grpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An answer to come, or what depends on one, that refuses to be waited for where answers are given
 * out: it would never come.
 */
final class CallFuture<T> extends CompletableFuture<T> {
  @Override
  public T get() throws InterruptedException, ExecutionException {
    requireElsewhere();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    requireElsewhere();
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    requireElsewhere();
    return super.join();
  }

  private void requireElsewhere() {
    if (!isDone()) {
      CallbackThread.requireOutside();
    }
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CallFuture<>();
  }
}
