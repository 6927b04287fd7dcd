package dev.ferry.calls.grpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future of a call, or a stage that depends on one. It throws if a callback thread waits for it,
 * because it would never complete.
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
