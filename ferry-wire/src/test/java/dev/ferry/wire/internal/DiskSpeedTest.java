package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DiskSpeedTest {
  private long nanos = Long.MAX_VALUE - 1;

  private void step(DiskSpeed speed, long millis) {
    long begun = speed.begin();
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    speed.ended(begun);
  }

  @Test
  void isFast_quickSteps_staysSo() {
    DiskSpeed speed = new DiskSpeed(false, () -> nanos);
    step(speed, 50);

    assertThat(speed.isFast()).isTrue();
  }

  @Test
  void isFast_afterALongStep_isFalseForTenTimesAsLong() {
    DiskSpeed speed = new DiskSpeed(false, () -> nanos);
    step(speed, 60);

    assertThat(speed.isFast()).isFalse();
    nanos += TimeUnit.MILLISECONDS.toNanos(599);
    assertThat(speed.isFast()).isFalse();
    nanos += TimeUnit.MILLISECONDS.toNanos(1);
    assertThat(speed.isFast()).isTrue();
  }

  @Test
  void isFast_afterAStepOfMinutes_isFalseForTenSeconds() {
    DiskSpeed speed = new DiskSpeed(false, () -> nanos);
    step(speed, 300_000);

    nanos += TimeUnit.SECONDS.toNanos(10);
    assertThat(speed.isFast()).isTrue();
  }

  @Test
  void isFast_remoteStore_isNever() {
    assertThat(new DiskSpeed(true, () -> nanos).isFast()).isFalse();
  }
}
