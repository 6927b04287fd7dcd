package dev.ferry.grpc.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who turns a loop that has no thread of its own, and when. */
@Timeout(120)
final class CallerLoopTest {
  private static final int SECONDS = 30;

  @Test
  void execute_whileNobodyWaits_isTheKeepers() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      CompletableFuture<String> ran = new CompletableFuture<>();
      loop.execute(() -> ran.complete(Thread.currentThread().getName()));
      assertThat(ran.get(SECONDS, TimeUnit.SECONDS)).startsWith("keeper");
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
      CallerLoop.Served call = loop.serve(true);
      assertThat(loop.enter()).isFalse();
      call.end();
      call.end();
      assertThat(loop.enter()).isTrue();
      assertThatThrownBy(loop::enter).isInstanceOf(IllegalStateException.class);
      assertThat(entersElsewhere(loop)).isFalse();
      loop.leave();
      assertThat(entersElsewhere(loop)).isTrue();
    }
  }

  private static boolean entersElsewhere(CallerLoop loop) throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              boolean entered = loop.enter();
              if (entered) {
                loop.leave();
              }
              return entered;
            })
        .get(SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void leave_ofWhoDoesNotHaveTheLoop_isRefused() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      assertThatThrownBy(loop::leave).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> loop.turnUntil(() -> true))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void keeper_whenNothingIsLeftToBeDone_leavesTheLoop() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      loop.submit(() -> {}).get(SECONDS, TimeUnit.SECONDS);
      for (int i = 0; i < 100; i++) {
        enterSoon(loop);
        loop.leave();
      }
    }
  }

  @Test
  void keeper_thatIsIdle_leavesTheLoopToThoseWhoComeAgain() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      enterSoon(loop);
      loop.leave();
      while (loop.enter()) {
        loop.leave();
        // Until the keeper rested long enough to take it.
        Thread.sleep(20);
      }
      CallerLoop.Served call = loop.serve(true);
      loop.submit(call::end).get(SECONDS, TimeUnit.SECONDS);
      enterSoon(loop);
      loop.leave();
    }
  }

  private static void enterSoon(CallerLoop loop) throws Exception {
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS); !loop.enter(); ) {
      assertThat(System.nanoTime()).isLessThan(end);
      // So that a keeper which is idle learns of a caller.
      loop.serve(true).end();
      Thread.sleep(1);
    }
  }

  @Test
  void turnUntil_amongTasksThatNeverEnd_ends() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      AtomicInteger ran = new AtomicInteger();
      Runnable task =
          new Runnable() {
            @Override
            public void run() {
              ran.incrementAndGet();
              if (!loop.isShuttingDown()) {
                loop.execute(this);
              }
            }
          };
      enterSoon(loop);
      loop.execute(task);
      loop.turnUntil(() -> ran.get() > 10_000);
      loop.leave();
      assertThat(ran).hasValueLessThan(1_000_000);
    }
  }

  @Test
  void turnUntil_whatAnotherThreadDoes_isWokenByIt() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      AtomicInteger done = new AtomicInteger();
      enterSoon(loop);
      new Thread(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  done.incrementAndGet();
                  loop.wakeup();
                }
              })
          .start();
      for (int i = 1; i <= 1_000; i++) {
        int wanted = i;
        loop.turnUntil(() -> done.get() >= wanted);
      }
      loop.leave();
    }
  }

  @Test
  void register_onAClosedLoop_fails() throws Exception {
    CallerLoop loop = new CallerLoop("keeper");
    loop.close();
    NioSocketChannel channel = new NioSocketChannel();
    assertThat(loop.register(channel).awaitUninterruptibly().isSuccess()).isFalse();
    channel.unsafe().closeForcibly();
  }

  @Test
  void leave_withTasksLeft_hasTheKeeperRunThem() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      assertThat(loop.enter()).isTrue();
      CompletableFuture<String> ran = new CompletableFuture<>();
      loop.execute(() -> ran.complete(Thread.currentThread().getName()));
      loop.leave();
      assertThat(ran.get(SECONDS, TimeUnit.SECONDS)).startsWith("keeper");
    }
  }

  @Test
  void turnUntil_interruptedWhileItWaits_throws() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      CompletableFuture<Boolean> left = new CompletableFuture<>();
      CountDownLatch inside = new CountDownLatch(1);
      Thread caller = turner(loop, inside, left);
      caller.start();
      inside.await();
      awaitSelecting(caller);
      caller.interrupt();
      assertThatThrownBy(() -> left.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(InterruptedException.class);
    }
  }

  /** Waits until a thread waits for its sockets, which is no state of a thread of Java. */
  private static void awaitSelecting(Thread thread) throws InterruptedException {
    while (Stream.of(thread.getStackTrace())
        .noneMatch(frame -> frame.toString().contains("sun.nio.ch.SelectorImpl.select("))) {
      Thread.sleep(1);
    }
  }

  /** Turns the loop until it is interrupted or the loop is closed. */
  private static Thread turner(
      CallerLoop loop, CountDownLatch inside, CompletableFuture<Boolean> left) {
    return new Thread(
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
        });
  }

  @Test
  void keeper_interruptedByATask_waitsOn() throws Exception {
    try (CallerLoop loop = new CallerLoop("keeper")) {
      CompletableFuture<Thread> keeper = new CompletableFuture<>();
      loop.execute(
          () -> {
            Thread.currentThread().interrupt();
            keeper.complete(Thread.currentThread());
          });
      awaitSelecting(keeper.get(SECONDS, TimeUnit.SECONDS));
      assertThat(loop.submit(() -> Thread.currentThread().isInterrupted()).get()).isFalse();
    }
  }

  @Test
  void close_whileACallerTurns_endsItsTurnAndTheLoop() throws Exception {
    CallerLoop loop = new CallerLoop("keeper");
    CompletableFuture<Boolean> left = new CompletableFuture<>();
    CountDownLatch inside = new CountDownLatch(1);
    turner(loop, inside, left).start();
    inside.await();
    loop.close();
    loop.close();
    assertThat(left.get(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(loop.isTerminated()).isTrue();
    assertThat(loop.enter()).isFalse();
  }

  @Test
  void execute_afterClose_runsOnTheCallingThread() {
    CallerLoop loop = new CallerLoop("keeper");
    loop.close();
    AtomicReference<Thread> runner = new AtomicReference<>();

    loop.execute(() -> loop.execute(() -> runner.set(Thread.currentThread())));

    assertThat(runner).hasValue(Thread.currentThread());
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
