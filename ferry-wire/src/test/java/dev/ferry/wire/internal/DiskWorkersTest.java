package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DiskWorkersTest {
  @Test
  void stopNow_tasksThatWait_runAllTheSame() throws Exception {
    ExecutorService workers = DiskWorkers.start("test");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(2);
    while (DiskWorkers.queued(workers) == 0) {
      workers.execute(
          () -> {
            try {
              running.await();
            } catch (InterruptedException e) {
              // The end of the task.
              Thread.currentThread().interrupt();
            }
          });
    }
    workers.execute(closed::countDown);
    workers.execute(closed::countDown);

    DiskWorkers.stopNow(workers);

    assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    running.countDown();
    assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
  }
}
