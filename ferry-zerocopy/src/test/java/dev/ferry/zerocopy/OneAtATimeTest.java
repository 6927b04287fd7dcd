package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  @Test
  void run_askedWhileItRuns_runsAgainAfterwards() {
    List<String> events = new ArrayList<>();
    OneAtATime[] work = new OneAtATime[1];
    work[0] =
        new OneAtATime(
            () -> {
              events.add("begins");
              if (events.size() == 1) {
                work[0].run();
                work[0].run();
              }
              events.add("ends");
            });
    work[0].run();
    assertThat(events).containsExactly("begins", "ends", "begins", "ends");
  }

  @Test
  void run_askedByManyThreads_isDoneByOneAtATimeAndAfterTheLast() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    OneAtATime work =
        new OneAtATime(
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              seen.set(asked.get());
              running.decrementAndGet();
            });
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < 1000; n++) {
                  asked.incrementAndGet();
                  work.run();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most).hasValue(1);
    assertThat(seen).hasValue(4000);
  }
}
