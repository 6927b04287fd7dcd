package dev.ferry.suites.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.calls.CallClient.RowVisitor;
import dev.ferry.calls.Row;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.Reason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Calls one row at a time, but requests the next before the one before has arrived. */
final class Pipeline {
  /** Calls under way at the same time. */
  static final int AHEAD = 64;

  private Pipeline() {}

  static void read(CallClient client, long count, RowVisitor visitor) throws FerryException {
    Deque<CompletableFuture<Row>> waiting = new ArrayDeque<>(AHEAD);
    for (long i = 0; i < count; i++) {
      if (waiting.size() == AHEAD) {
        visit(waiting.remove(), visitor);
      }
      waiting.add(client.rowAsync(i));
    }
    while (!waiting.isEmpty()) {
      visit(waiting.remove(), visitor);
    }
  }

  private static void visit(CompletableFuture<Row> response, RowVisitor visitor)
      throws FerryException {
    try {
      Row row = response.get();
      visitor.row(row.number(), row.name());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FerryException ferry
          ? ferry
          : new FerryException(ErrorKind.INTERNAL, "the call failed: " + Reason.ofCause(e), e);
    } catch (InterruptedException e) {
      throw Clients.interrupted(e);
    }
  }
}
