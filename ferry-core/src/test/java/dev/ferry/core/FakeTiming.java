package dev.ferry.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A clock that only sleeping moves. */
final class FakeTiming implements Retries.Timing {
  final List<Duration> slept = new ArrayList<>();
  double random = 1;
  private long now = Long.MAX_VALUE - 5_000_000_000L;

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    slept.add(time);
    now += time.toNanos();
  }

  @Override
  public double random() {
    return random;
  }
}
