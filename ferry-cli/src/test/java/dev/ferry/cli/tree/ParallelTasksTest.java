package dev.ferry.cli.tree;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class ParallelTasksTest {
  @Test
  void await_oneFails_doesNotWaitForTheOthers() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (ParallelTasks tasks = new ParallelTasks(2)) {
      tasks.begin(
          () -> {
            try {
              never.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      tasks.begin(
          () -> {
            throw new FerryException(ErrorKind.OUT_OF_SPACE, "full");
          });
      assertThatThrownBy(tasks::await).hasMessage("full");
      assertThatThrownBy(() -> tasks.begin(() -> {})).hasMessage("full");
      assertThatThrownBy(tasks::await).hasMessage("full");
    }
  }
}
