package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class ParallelCompressorTest {
  private static final int PART = 10;
  private static final int AHEAD = 6;

  /** Results that nobody has released. */
  private final AtomicInteger held = new AtomicInteger();

  private final Semaphore ready = new Semaphore(0);

  private ParallelCompressor<Long, Exception> compressor(
      Threads threads, long size, ParallelCompressor.Task<Long, Exception> task) {
    return new ParallelCompressor<>(
        threads,
        size,
        PART,
        AHEAD,
        (position, length) -> {
          long result = task.compress(position, length);
          held.incrementAndGet();
          return result;
        },
        result -> held.decrementAndGet(),
        ready::release);
  }

  private Long await(ParallelCompressor<Long, Exception> compressor) throws Exception {
    Long result = compressor.next();
    while (result == null) {
      ready.acquire();
      result = compressor.next();
    }
    held.decrementAndGet();
    return result;
  }

  @Test
  void next_partsThatEndInAnyOrder_givesThemInOrder() throws Exception {
    try (Threads threads = new Threads();
        var compressor =
            compressor(
                threads,
                1_003,
                (position, length) -> {
                  if (position % 3 == 0) {
                    Thread.yield();
                  }
                  return position * 100 + length;
                })) {
      List<Long> results = new ArrayList<>();
      while (!compressor.ended()) {
        results.add(await(compressor));
      }

      assertThat(results).hasSize(101).isSorted().first().isEqualTo(10L);
      assertThat(results.get(100)).isEqualTo(100_003);
      assertThat(compressor.next()).isNull();
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void next_notTaken_noMorePartsThanAllowedAreBegun() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    try (Threads threads = new Threads()) {
      var compressor =
          compressor(threads, 10_000, (position, length) -> (long) begun.incrementAndGet());
      Long unused = await(compressor);
      threads.close();

      assertThat(begun).hasValue(AHEAD);
      compressor.close();
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void next_partThatFails_throwsAndCloseReleasesTheOthers() throws Exception {
    try (Threads threads = new Threads();
        var compressor =
            compressor(
                threads,
                1_000,
                (position, length) -> {
                  if (position == 2 * PART) {
                    throw new Exception("the file is gone");
                  }
                  return position;
                })) {
      assertThat(await(compressor)).isZero();
      assertThat(await(compressor)).isEqualTo(PART);

      assertThatThrownBy(() -> await(compressor)).hasMessage("the file is gone");
    }
    assertThat(held).hasValue(0);
  }

  @Test
  void next_partThatBreaksDown_saysSo() throws Exception {
    try (Threads threads = new Threads();
        var compressor =
            compressor(
                threads,
                PART,
                (position, length) -> {
                  throw new OutOfMemoryError("no direct memory");
                })) {
      assertThatThrownBy(() -> await(compressor)).hasMessageContaining("no direct memory");
    }
  }

  @Test
  void close_partsUnderWay_theirResultsAreReleased() throws Exception {
    CountDownLatch begun = new CountDownLatch(Threads.COUNT);
    CountDownLatch closed = new CountDownLatch(1);
    try (Threads threads = new Threads()) {
      var compressor =
          compressor(
              threads,
              1_000,
              (position, length) -> {
                begun.countDown();
                closed.await();
                return position;
              });
      assertThat(compressor.next()).isNull();
      begun.await();
      compressor.close();
      closed.countDown();

      assertThat(compressor.next()).isNull();
    }
    assertThat(held).hasValue(0);
    assertThat(ready.availablePermits()).isZero();
  }
}
