package dev.ferry.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who turns a loop that has no thread of its own, and when. */
final class CallerLoopTest {
  private static final int SECONDS = 30;

  @Test
  void execute_whileNobodyWaits_isTheKeepers() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      CompletableFuture<String> ran = new CompletableFuture<>();
      loop.execute(() -> ran.complete(Thread.currentThread().getName()));
      assertThat(ran.get(SECONDS, TimeUnit.SECONDS)).isEqualTo("keeper");
    }
  }

  @Test
  void schedule_whileNobodyWaits_isTheKeepers() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      CompletableFuture<Boolean> ran = new CompletableFuture<>();
      loop.schedule(() -> ran.complete(loop.inEventLoop()), 20, TimeUnit.MILLISECONDS);
      assertThat(ran.get(SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void execute_whileACallerHasTheLoop_isTheCallers() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      assertThat(loop.enter()).isTrue();
      CompletableFuture<Thread> ran = new CompletableFuture<>();
      new Thread(() -> loop.execute(() -> ran.complete(Thread.currentThread()))).start();
      loop.turnUntil(ran::isDone);
      loop.leave();
      assertThat(ran).isCompletedWithValue(Thread.currentThread());
    }
  }

  @Test
  void enter_whileAnotherHasTheLoopOrCallsAreUnderWay_isRefused() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      loop.callBegins(true);
      assertThat(loop.enter()).isFalse();
      loop.callEnds();
      assertThat(loop.enter()).isTrue();
      assertThatThrownBy(loop::enter).isInstanceOf(IllegalStateException.class);
      assertThat(CompletableFuture.supplyAsync(loop::enter).get(SECONDS, TimeUnit.SECONDS))
          .isFalse();
      loop.leave();
      assertThat(CompletableFuture.supplyAsync(loop::enter).get(SECONDS, TimeUnit.SECONDS))
          .isTrue();
    }
  }

  @Test
  void enter_whenTheKeeperServedACallerThatWaited_isGivenTheLoop() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      keeperTakes(loop);
      assertThat(loop.enter()).isFalse();
      loop.callBegins(true);
      loop.submit(loop::callEnds).get(SECONDS, TimeUnit.SECONDS);
      while (!loop.enter()) {
        Thread.sleep(1);
      }
      loop.leave();
    }
  }

  private static void keeperTakes(CallerLoop loop) throws Exception {
    loop.submit(() -> {}).get(SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void leave_withTasksLeft_hasTheKeeperRunThem() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      assertThat(loop.enter()).isTrue();
      CompletableFuture<String> ran = new CompletableFuture<>();
      loop.execute(() -> ran.complete(Thread.currentThread().getName()));
      loop.leave();
      assertThat(ran.get(SECONDS, TimeUnit.SECONDS)).isEqualTo("keeper");
    }
  }

  @Test
  void turnUntil_interruptedWhileItWaits_throws() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      CountDownLatch inside = new CountDownLatch(1);
      Thread caller =
          new Thread(
              () -> {
                loop.enter();
                loop.execute(inside::countDown);
                try {
                  loop.turnUntil(() -> false);
                } catch (InterruptedException e) {
                  interrupted.complete(true);
                } finally {
                  loop.leave();
                }
              });
      caller.start();
      inside.await();
      Thread.sleep(50);
      caller.interrupt();
      assertThat(interrupted.get(SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void keeper_interruptedByATask_waitsOn() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      loop.submit(() -> Thread.currentThread().interrupt()).get(SECONDS, TimeUnit.SECONDS);
      assertThat(loop.submit(() -> Thread.currentThread().isInterrupted()).get()).isFalse();
    }
  }

  @Test
  void close_whileACallerTurns_endsItsTurnAndTheLoop() throws Exception {
    CallerLoop loop = new CallerLoop("keeper");
    CompletableFuture<Boolean> left = new CompletableFuture<>();
    CountDownLatch inside = new CountDownLatch(1);
    new Thread(
            () -> {
              loop.enter();
              loop.execute(inside::countDown);
              try {
                loop.turnUntil(() -> false);
              } catch (InterruptedException e) {
                left.completeExceptionally(e);
              } finally {
                loop.leave();
              }
              left.complete(true);
            })
        .start();
    inside.await();
    loop.close();
    loop.close();
    assertThat(left.get(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(loop.isTerminated()).isTrue();
    assertThat(loop.enter()).isFalse();
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void close_onTheThreadThatTurns_isDoneWhenItLeaves() throws Exception {
    CallerLoop loop = new CallerLoop("keeper");
    loop.execute(loop::close);
    assertThat(loop.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void execute_byManyWhileCallersComeAndGo_losesNothing() throws Exception {
    int threads = 6;
    int each = 20_000;
    AtomicInteger ran = new AtomicInteger();
    try (CallerLoop loop = new CallerLoop("keeper")) {
      var pool = Executors.newFixedThreadPool(threads);
      for (int i = 0; i < threads; i++) {
        boolean caller = i % 2 == 0;
        pool.submit(
            () -> {
              for (int j = 0; j < each; j++) {
                boolean mine = caller && loop.enter();
                loop.execute(ran::incrementAndGet);
                if (mine) {
                  loop.leave();
                }
              }
              return null;
            });
      }
      pool.shutdown();
      assertThat(pool.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
      loop.submit(() -> {}).get(SECONDS, TimeUnit.SECONDS);
      assertThat(ran).hasValue(threads * each);
    }
  }
}
