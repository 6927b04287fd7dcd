package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StallWatchTest {
  private static final Duration LIMIT = Duration.ofSeconds(8);
  private final StallWatch watch = new StallWatch(LIMIT, true);

  /** Looks as often as an interval fits into this many seconds. */
  private static boolean silent(StallWatch watch, int seconds) {
    boolean stalled = false;
    for (long t = 0; t < Duration.ofSeconds(seconds).toNanos(); t += watch.interval()) {
      stalled |= watch.look(watch.interval());
    }
    return stalled;
  }

  @Test
  void look_nothingMoves_isSilentAfterTheLimitAndNotBefore() {
    assertThat(watch.look(watch.interval())).as("the first look sees a beginning").isFalse();
    assertThat(silent(watch, 7)).isFalse();
    assertThat(silent(watch, 1)).isTrue();
  }

  @Test
  void look_somethingMovesNowAndThen_isNeverSilent() {
    for (int i = 0; i < 5; i++) {
      watch.moved();
      assertThat(silent(watch, 7)).isFalse();
    }
  }

  @Test
  void look_nothingIsDue_isNotSilent() {
    watch.pause();
    assertThat(silent(watch, 100)).isFalse();
    watch.expect();
    assertThat(silent(watch, 7)).isFalse();
    assertThat(silent(watch, 3)).isTrue();
  }

  @Test
  void look_thisEndIsAtWork_isNotSilent() {
    watch.working(true);
    assertThat(silent(watch, 100)).isFalse();
    watch.working(false);
    assertThat(silent(watch, 8)).isFalse();
    assertThat(silent(watch, 1)).isTrue();
  }

  @Test
  void look_peerIsGivenWork_allowsItTheTimeForThat() {
    watch.expectResponse(1_000_000_000);
    assertThat(watch.allowed()).isEqualTo(Duration.ofSeconds(28));
    assertThat(silent(watch, 28)).isFalse();
    assertThat(silent(watch, 1)).isTrue();
    watch.expect();
    assertThat(watch.allowed()).isEqualTo(LIMIT);
  }

  @Test
  void look_workIsNotLimited_isNotSilent() {
    StallWatch unlimited = new StallWatch(LIMIT, false);
    unlimited.expectResponse(1);
    assertThat(silent(unlimited, 1000)).isFalse();
  }

  @Test
  void look_noLimit_isNotSilent() {
    assertThat(StallWatch.none().limited()).isFalse();
    assertThat(StallWatch.none().look(Long.MAX_VALUE)).isFalse();
    assertThat(StallWatch.none().look(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void look_silentPeerTakesNoConnection_isGoneLongBeforeTheLimit() throws Exception {
    StallWatch probing = new StallWatch(Duration.ZERO, false);
    CountDownLatch probed = new CountDownLatch(2);
    probing.probeBy(
        () -> {
          probed.countDown();
          return false;
        });
    assertThat(probing.limited()).isTrue();
    probing.expectResponse(1);
    assertThat(silent(probing, 1)).isFalse();
    boolean unused = silent(probing, 1);
    probed.await();
    while (!probing.look(1)) {
      Thread.sleep(1);
    }
    assertThat(probing.isGone()).isTrue();
    probing.moved();
    assertThat(probing.look(1)).isFalse();
    probing.pause();
    assertThat(silent(probing, 100)).isFalse();
  }

  @Test
  void look_someProbesFailByChance_isNotGone() throws Exception {
    BlockingQueue<Thread> probes = new LinkedBlockingQueue<>();
    AtomicInteger count = new AtomicInteger();
    StallWatch probing = new StallWatch(Duration.ZERO, false);
    probing.probeBy(
        () -> {
          probes.add(Thread.currentThread());
          return count.incrementAndGet() % 2 == 0;
        });
    for (int joined = 0; joined < 6; ) {
      assertThat(probing.look(probing.interval())).isFalse();
      Thread probe = probes.poll(1, TimeUnit.MILLISECONDS);
      if (probe != null) {
        probe.join();
        joined++;
      }
    }
    assertThat(probing.isGone()).isFalse();
  }

  @Test
  void look_silentPeerTakesConnections_isProbedLessAndLessOften() {
    AtomicInteger probes = new AtomicInteger();
    watch.probeBy(() -> probes.incrementAndGet() > 0);
    assertThat(silent(watch, 7)).isFalse();
    assertThat(silent(watch, 2)).isTrue();
    assertThat(watch.isGone()).isFalse();
    assertThat(silent(watch, 1000)).isTrue();
    assertThat(probes).hasValueLessThan(110);
  }

  @Test
  void look_processWasStopped_countsOneLookAlone() {
    assertThat(watch.look(watch.interval())).isFalse();
    // An hour may have passed.
    assertThat(watch.look(watch.interval())).isFalse();
  }
}
