package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DiskWorkersTest {
  private final DiskWorkers workers = DiskWorkers.start("test", 4);
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void stop() {
    end.countDown();
    workers.stop();
  }

  /** Takes a thread until the end of the test, or an interrupt. */
  private void wait(CountDownLatch running) {
    running.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fill(String holder, int tasks, int running) throws Exception {
    CountDownLatch begun = new CountDownLatch(running);
    for (int i = 0; i < tasks; i++) {
      workers.of(holder).execute(() -> wait(begun));
    }
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void execute_oneHolderHasManyTasks_hasHalfOfTheThreads() throws Exception {
    fill("greedy", 1000, 2);
    assertThat(workers.queued()).isEqualTo(998);

    CountDownLatch ran = new CountDownLatch(1000);
    for (int i = 0; i < 1000; i++) {
      workers.of("other").execute(ran::countDown);
    }
    assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(workers.queued()).isEqualTo(998);
  }

  @Test
  void execute_severalHolders_takeTurns() throws Exception {
    DiskWorkers one = DiskWorkers.start("test-one", 1);
    CountDownLatch begun = new CountDownLatch(1);
    one.of("a").execute(() -> wait(begun));
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    List<String> ran = new ArrayList<>();
    for (String holder : new String[] {"a", "b", "c"}) {
      for (int i = 0; i < 3; i++) {
        one.of(holder).execute(() -> ran.add(holder));
      }
    }
    end.countDown();

    one.stop();

    assertThat(ran).containsExactly("a", "b", "c", "a", "b", "c", "a", "b", "c");
  }

  @Test
  void execute_taskIsInterrupted_theNextOneIsNot() throws Exception {
    DiskWorkers one = DiskWorkers.start("test-one", 1);
    List<Boolean> interrupted = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    one.execute(
        () -> {
          wait(begun);
          Thread.currentThread().interrupt();
        });
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    one.execute(() -> interrupted.add(Thread.currentThread().isInterrupted()));
    end.countDown();

    one.stop();

    assertThat(interrupted).containsExactly(false);
  }

  @Test
  void execute_taskFails_theNextOneRuns() throws Exception {
    CountDownLatch ran = new CountDownLatch(100);
    Executor executor = workers.of("holder");
    for (int i = 0; i < 100; i++) {
      executor.execute(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
            ran.countDown();
            throw new IllegalStateException("of a test");
          });
    }
    assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void remove_tasksThatWait_doNotRunAndTheOthersDoInOrder() throws Exception {
    DiskWorkers one = DiskWorkers.start("test-one", 1);
    CountDownLatch begun = new CountDownLatch(1);
    one.of("holder").execute(() -> wait(begun));
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    List<Integer> ran = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int task = i;
      numbers.add(one.add("holder", () -> ran.add(task)));
    }

    // The last ones first; a second time has no effect, and neither has another holder.
    for (int i = 999; i >= 0; i--) {
      if (i % 100 != 0) {
        one.remove("holder", numbers.get(i));
        one.remove("holder", numbers.get(i));
      }
      one.remove("other", numbers.get(i));
    }

    assertThat(one.queued()).isEqualTo(10);
    end.countDown();
    one.stop();
    assertThat(ran).containsExactly(0, 100, 200, 300, 400, 500, 600, 700, 800, 900);
  }

  @Test
  void remove_taskThatWaitsTwice_runsOnce() throws Exception {
    fill("holder", 2, 2);
    CountDownLatch ran = new CountDownLatch(2);
    Runnable task = ran::countDown;
    long removed = workers.add("holder", task);
    workers.of("holder").execute(task);

    workers.remove("holder", removed);
    end.countDown();
    workers.stop();

    assertThat(ran.getCount()).isEqualTo(1);
  }

  @Test
  void remove_onlyTaskOfAHolder_leavesNoTurn() throws Exception {
    fill("greedy", 2, 2);
    fill("other", 1, 1);
    workers.remove("late", workers.add("late", () -> {}));
    CountDownLatch ran = new CountDownLatch(1);
    workers.of("late").execute(ran::countDown);
    assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void stopNow_tasksThatWait_runAllTheSame() throws Exception {
    fill("a", 2, 2);
    CountDownLatch closed = new CountDownLatch(2);
    workers.of("a").execute(closed::countDown);
    workers.of("a").execute(closed::countDown);

    workers.stopNow();

    assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
    assertThatThrownBy(() -> workers.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void stop_tasksThatWait_runBefore() throws Exception {
    fill("a", 3, 2);
    CountDownLatch ran = new CountDownLatch(1);
    workers.of("a").execute(ran::countDown);
    end.countDown();

    workers.stop();

    assertThat(ran.getCount()).isZero();
  }
}
