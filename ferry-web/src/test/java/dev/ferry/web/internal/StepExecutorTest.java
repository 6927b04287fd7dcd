package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StepExecutorTest {
  private final List<String> ran = new ArrayList<>();
  private long nanos;

  private Executor named(String name) {
    return step -> {
      ran.add(name);
      step.run();
    };
  }

  private StepExecutor steps() {
    return new StepExecutor(named("loop"), named("workers"), () -> nanos);
  }

  @Test
  void execute_quickSteps_stayOnTheLoop() {
    StepExecutor steps = steps();
    steps.execute(() -> nanos += TimeUnit.MILLISECONDS.toNanos(20));
    steps.execute(() -> {});
    assertThat(ran).containsExactly("loop", "loop");
  }

  @Test
  void execute_afterALongStep_goesToWorkersForGood() {
    StepExecutor steps = steps();
    steps.execute(() -> nanos += TimeUnit.MILLISECONDS.toNanos(21));
    steps.execute(() -> {});
    steps.execute(() -> {});
    assertThat(ran).containsExactly("loop", "workers", "workers");
  }

  @Test
  void execute_onAClosedLoop_runsAtOnce() {
    Executor closed =
        step -> {
          throw new RejectedExecutionException();
        };
    StepExecutor steps = new StepExecutor(closed, named("workers"));
    steps.execute(() -> ran.add("here"));
    assertThat(ran).containsExactly("here");
  }
}
