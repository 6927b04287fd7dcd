package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.wire.internal.contract.GrpcErrors;
import io.grpc.ClientCall;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of a client for which threads wait. Thread-safe. */
final class RunningCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RunningCalls.class);

  private static final int CANCEL_SECONDS = 10;

  private final Map<ClientCall<?, ?>, CallReport> calls = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Waits for a call. The waiting thread itself checks whether the call has stalled.
   *
   * @param done completes with the call's result
   * @throws FerryException with {@link ErrorKind#CANCELLED} if the thread is interrupted or the
   *     calls are {@linkplain #close closed}; if the call fails or has stalled
   */
  <T extends @Nullable Object> T await(
      CompletableFuture<T> done, ClientCall<?, ?> call, CallReport report) throws FerryException {
    calls.put(call, report);
    try {
      if (closed) {
        cancel(call, report);
      }
      return awaitResult(done, call, report);
    } catch (ExecutionException e) {
      throw GrpcErrors.fromStatus(e.getCause() == null ? e : e.getCause(), report);
    } catch (InterruptedException e) {
      report.endPauses();
      call.cancel("interrupted", e);
      awaitEnd(done);
      throw FerryException.interrupted(report.name() + ": cancelled", e);
    } finally {
      calls.remove(call);
    }
  }

  private static <T extends @Nullable Object> T awaitResult(
      CompletableFuture<T> done, ClientCall<?, ?> call, CallReport report)
      throws FerryException, ExecutionException, InterruptedException {
    StallWatch watch = report.watch();
    if (!watch.limited()) {
      return done.get();
    }
    while (true) {
      try {
        return done.get(watch.interval(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (watch.look(watch.interval())) {
          FerryException stalled = report.stalled();
          report.endPauses();
          call.cancel("silence", stalled);
          awaitEnd(done);
          throw stalled;
        }
      }
    }
  }

  /** Waits, after a cancellation, until the threads of the call no longer use the file. */
  private static void awaitEnd(CompletableFuture<?> done) {
    try {
      done.get(CANCEL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // It is the cancellation.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      LOG.debug("a cancelled call still uses its file after {} s", CANCEL_SECONDS);
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Cancels all calls, also later ones, so that they do not deliver what has arrived. */
  void close() {
    closed = true;
    calls.forEach(RunningCalls::cancel);
  }

  private static void cancel(ClientCall<?, ?> call, CallReport report) {
    report.endPauses();
    call.cancel("the client was closed", null);
  }
}
