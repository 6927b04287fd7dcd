package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.run.meter.Meters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ClientServerMetersTest {
  @Test
  void otherCpu_networkThatDoesNotTellItsOwn_isUnknown() {
    assertThat(otherCpu(20L)).isEqualTo(1_000 - 300 - 100 - 20);
    assertThat(otherCpu(null)).isNull();
  }

  private static @Nullable Long otherCpu(@Nullable Long wireNanos) {
    Meters.Figures own = new Meters.Figures(new Usage(0, 300, 0, 0, 0, 0, 0), 100, 0, 0, 1_000, 0);
    return new ClientServerMeters.Used(own, null, false, -1, wireNanos, null, null)
        .disturbance(false, 1)
        .otherCpuNanos();
  }
}
