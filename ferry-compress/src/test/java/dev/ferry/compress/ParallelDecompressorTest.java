package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class ParallelDecompressorTest {
  private static final int MANY = 2_000;
  private static final int BAD = -1;

  /** Items and results that nobody has released. */
  private final AtomicInteger held = new AtomicInteger();

  private final List<Integer> written = Collections.synchronizedList(new ArrayList<>());
  private final CompletableFuture<Void> failure = new CompletableFuture<>();

  /** Writing waits for it. */
  private CountDownLatch mayWrite = new CountDownLatch(0);

  private @Nullable CountDownLatch mayDecompress;

  /** Items that become larger than they say. */
  private Set<Integer> large = Set.of();

  /** Each of them was given to a thread. */
  private final CountDownLatch tried = new CountDownLatch(3);

  private final List<Boolean> decompressedInTurn = Collections.synchronizedList(new ArrayList<>());

  private final class Steps implements ParallelDecompressor.Steps<Integer, Integer, Exception> {
    @Override
    public @Nullable Integer decompress(Integer item, boolean inTurn) throws Exception {
      if (large.contains(item)) {
        decompressedInTurn.add(inTurn);
        tried.countDown();
        if (!inTurn) {
          return null;
        }
      }
      // The item is released, and its result is held.
      boolean done = false;
      try {
        if (mayDecompress != null) {
          mayDecompress.await();
        }
        if (item == BAD) {
          throw new Exception("item is corrupt");
        }
        done = true;
        return item;
      } finally {
        if (!done) {
          held.decrementAndGet();
        }
      }
    }

    @Override
    public void write(Integer result) throws Exception {
      held.decrementAndGet();
      mayWrite.await();
      written.add(result);
    }

    @Override
    public void discard(Integer item) {
      held.decrementAndGet();
    }

    @Override
    public void release(Integer result) {
      held.decrementAndGet();
    }

    @Override
    public void failed(Exception failure) {
      ParallelDecompressorTest.this.failure.completeExceptionally(failure);
    }

    @Override
    public Exception broken(String what, Throwable cause) {
      return new Exception(what, cause);
    }

    @Override
    public Exception closed() {
      return new Exception("closed");
    }
  }

  private ParallelDecompressor<Integer, Integer, Exception> decompressor(
      Threads threads, long maxBytesInLine) {
    return new ParallelDecompressor<>(threads, new Steps(), 100_000, maxBytesInLine);
  }

  private void add(ParallelDecompressor<Integer, Integer, Exception> decompressor, int item)
      throws Exception {
    held.incrementAndGet();
    if (item % 7 == 6) {
      boolean unused = decompressor.addReady(item, 10);
    } else {
      decompressor.add(item, 1_000, 10);
    }
  }

  @Test
  void add_manyItems_areWrittenInOrder() throws Exception {
    try (Threads threads = new Threads();
        var decompressor = decompressor(threads, 1_000)) {
      for (int i = 0; i < MANY; i++) {
        add(decompressor, i);
      }
      decompressor.awaitWritten();

      assertThat(written).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void add_corruptItem_failsOnceAndWritesNothingBehindIt() throws Exception {
    try (Threads threads = new Threads();
        var decompressor = decompressor(threads, Long.MAX_VALUE)) {
      add(decompressor, 1);
      add(decompressor, BAD);
      assertThatThrownBy(() -> failure.get(120, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("item is corrupt");

      assertThatThrownBy(() -> add(decompressor, 2)).hasMessage("item is corrupt");
      assertThatThrownBy(decompressor::awaitWritten).hasMessage("item is corrupt");
      assertThat(written).doesNotContain(2);
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void close_itemsAtWorkAndInLine_allAreReleased() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    mayDecompress = closed;
    try (Threads threads = new Threads()) {
      var decompressor = decompressor(threads, Long.MAX_VALUE);
      for (int i = 0; i < MANY; i++) {
        add(decompressor, i);
      }
      decompressor.close();
      closed.countDown();

      assertThatThrownBy(() -> add(decompressor, 1)).hasMessage("closed");
    }
    assertThat(written).isEmpty();
    assertThat(held).hasValue(0);
  }

  @Test
  void add_itemsLargerThanTheySay_areDecompressedInTheirTurn() throws Exception {
    mayWrite = new CountDownLatch(1);
    large = Set.of(1, 2, 3);
    try (Threads threads = new Threads();
        var decompressor = decompressor(threads, Long.MAX_VALUE)) {
      for (int i = 0; i < 6; i++) {
        add(decompressor, i);
      }
      assertThat(tried.await(120, TimeUnit.SECONDS)).isTrue();
      // The first one is being written.
      assertThat(decompressedInTurn).containsOnly(false);
      mayWrite.countDown();
      decompressor.awaitWritten();

      assertThat(decompressedInTurn).filteredOn(inTurn -> inTurn).hasSize(3);
      assertThat(written).containsExactly(0, 1, 2, 3, 4, 5);
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void close_itemsLargerThanTheySay_areReleased() throws Exception {
    mayWrite = new CountDownLatch(1);
    large = Set.of(1, 2, 3);
    try (Threads threads = new Threads()) {
      var decompressor = decompressor(threads, Long.MAX_VALUE);
      for (int i = 0; i < 4; i++) {
        add(decompressor, i);
      }
      assertThat(tried.await(120, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<?> closing = CompletableFuture.runAsync(decompressor::close);
      mayWrite.countDown();
      closing.get(120, TimeUnit.SECONDS);
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void add_longLine_waitsUntilSomethingIsWritten() throws Exception {
    mayWrite = new CountDownLatch(1);
    try (Threads threads = new Threads();
        var decompressor = decompressor(threads, 20)) {
      add(decompressor, 0);
      add(decompressor, 1);
      CompletableFuture<Boolean> added =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  add(decompressor, 2);
                  return true;
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(added).isNotDone();
      mayWrite.countDown();

      assertThat(added.get(120, TimeUnit.SECONDS)).isTrue();
      decompressor.awaitWritten();
      assertThat(written).containsExactly(0, 1, 2);
    }
    assertThat(held).hasValue(0);
  }
}
