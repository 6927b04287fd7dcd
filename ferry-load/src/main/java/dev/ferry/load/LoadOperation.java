package dev.ferry.load;

import dev.ferry.core.FerryException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Does what a load consists of. Thread-safe. */
public interface LoadOperation {
  /** Whether {@link #start} returns only after the end, so that it needs a thread of its own. */
  boolean blocks();

  /** Starts an operation. The stage fails if the operation fails. */
  CompletionStage<?> start(Arrival arrival);

  /** An operation that blocks. */
  @FunctionalInterface
  interface Blocking {
    void run(Arrival arrival) throws FerryException;
  }

  /** Returns an operation that runs on a thread of the driver. */
  static LoadOperation blocking(Blocking operation) {
    return new LoadOperation() {
      @Override
      public boolean blocks() {
        return true;
      }

      @Override
      public CompletionStage<?> start(Arrival arrival) {
        try {
          operation.run(arrival);
          return CompletableFuture.completedStage(null);
        } catch (FerryException e) {
          return CompletableFuture.failedStage(e);
        }
      }
    };
  }
}
