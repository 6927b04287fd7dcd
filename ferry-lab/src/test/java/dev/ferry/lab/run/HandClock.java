package dev.ferry.lab.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Moves where a test moves it. */
final class HandClock extends Clock {
  private Instant now = Instant.EPOCH;

  void move(Duration by) {
    now = now.plus(by);
  }

  void reset() {
    now = Instant.EPOCH;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
