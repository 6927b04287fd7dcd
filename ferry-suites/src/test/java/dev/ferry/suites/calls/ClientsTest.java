package dev.ferry.suites.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.RunDocument.Settings;
import org.junit.jupiter.api.Test;

final class ClientsTest {
  @Test
  void warmedByCalls_ofTwoSampleSizes_asManyCallsInBoth() {
    Settings profile = new Settings(3, 15, 3_000, 12_000, 5);

    assertThat(Clients.warmedByCalls(profile, 10))
        .isEqualTo(new Settings(3, 15, 3_000, 12_000, 900, 900));
    assertThat(Clients.warmedByCalls(profile, 50))
        .isEqualTo(new Settings(3, 15, 3_000, 12_000, 180, 180));
  }

  @Test
  void warmedByCalls_noTimeToWarmUp_asTheProfileSays() {
    Settings profile = new Settings(1, 2, 0, 0, 1);

    assertThat(Clients.warmedByCalls(profile, 10)).isEqualTo(profile);
  }
}
