package dev.ferry.wire.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Computes digests of large files, each of which may take minutes, on threads of its own. So they
 * do not keep the workers of a port from others. Who waits for a digest takes no thread. All who
 * wait for the same one wait for one computation, which begins when it is the turn of one of them,
 * and is ended when nobody waits any more. Thread-safe.
 */
public final class LargeDigests {
  /** Bytes of a large file. A smaller one takes a worker no longer than a list does. */
  private static final long LARGE = 8L << 20;

  /**
   * One caller has half of them: more would wait for the processors, and fewer for a remote store.
   */
  private static final int THREADS = Math.max(8, 2 * Runtime.getRuntime().availableProcessors());

  private final DiskWorkers threads = DiskWorkers.start("ferry-digests", THREADS);
  private final Map<Wanted, Computation> computations = new HashMap<>();

  /**
   * What is computed.
   *
   * @param version that of the file; null if the store has none
   * @param now whether the file has to be read, also if its digest becomes known meanwhile
   */
  record Wanted(
      StorePath path, @Nullable String version, Digest.Algorithm algorithm, boolean now) {}

  /** Returns whether the digest of a file is to be computed here. */
  static boolean isFor(FileFacts facts) {
    return facts.size() >= LARGE;
  }

  /**
   * Computes a digest, unless it is being computed already.
   *
   * @param holder in whose turn
   * @param computing returns the facts with the digest; interrupted if nobody waits any more
   * @return completed by a thread of this object. Who no longer waits cancels or completes it
   * @throws java.util.concurrent.RejectedExecutionException if this object was stopped
   */
  CompletableFuture<FileFacts> compute(
      Wanted wanted, String holder, Retries.Call<FileFacts> computing) {
    CompletableFuture<FileFacts> waiting = new CompletableFuture<>();
    Computation joined = join(wanted, holder, computing, waiting);
    CompletableFuture<FileFacts> unused =
        waiting.whenComplete((facts, failure) -> leave(joined, waiting));
    return waiting;
  }

  private synchronized Computation join(
      Wanted wanted,
      String holder,
      Retries.Call<FileFacts> computing,
      CompletableFuture<FileFacts> waiting) {
    Computation computation = computations.get(wanted);
    if (computation == null) {
      computation = new Computation(wanted, computing);
    }
    if (!computation.places.containsKey(holder)) {
      computation.places.put(holder, threads.add(holder, computation.task));
      computations.put(wanted, computation);
    }
    computation.waiting.add(waiting);
    return computation;
  }

  private synchronized void leave(Computation left, CompletableFuture<FileFacts> gone) {
    left.waiting.remove(gone);
    if (left.waiting.isEmpty() && computations.remove(left.wanted, left)) {
      left.task.cancel(true);
      left.places.forEach(threads::remove);
    }
  }

  private synchronized List<CompletableFuture<FileFacts>> ended(Computation computation) {
    computations.remove(computation.wanted, computation);
    return List.copyOf(computation.waiting);
  }

  private synchronized List<CompletableFuture<FileFacts>> waiting() {
    return computations.values().stream()
        .flatMap(computation -> computation.waiting.stream())
        .toList();
  }

  /** Ends all computations. Waits a few seconds for their threads. */
  public void stop() {
    threads.refuse();
    waiting().forEach(waiting -> waiting.completeExceptionally(Requests.stopping()));
    threads.stop();
  }

  private final class Computation {
    private final Wanted wanted;
    private final Retries.Call<FileFacts> computing;
    private final FutureTask<Boolean> task = new FutureTask<>(this::run, true);

    /** Guarded by the lock of all computations. */
    private final Set<CompletableFuture<FileFacts>> waiting = new LinkedHashSet<>();

    /** The numbers of the task among those of each holder. Guarded in the same way. */
    private final Map<String, Long> places = new HashMap<>();

    Computation(Wanted wanted, Retries.Call<FileFacts> computing) {
      this.wanted = wanted;
      this.computing = computing;
    }

    private void run() {
      try {
        FileFacts facts = computing.run();
        ended(this).forEach(each -> each.complete(facts));
      } catch (FerryException | RuntimeException | Error e) {
        // Also an Error: those that wait must learn of the end.
        ended(this).forEach(each -> each.completeExceptionally(e));
      }
    }
  }
}
