package dev.ferry.lab.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.model.LabException;
import org.junit.jupiter.api.Test;

final class PinTest {
  @Test
  void of_severalProcessors_givesEachEndItsHalf() throws Exception {
    assertThat(Pin.of("0-1")).isEqualTo(new Pin("0", "1"));
    assertThat(Pin.of("0-2,5,7")).isEqualTo(new Pin("0,1", "2,5,7"));
  }

  @Test
  void of_oneProcessor_isRefused() {
    assertThatThrownBy(() -> Pin.of("3"))
        .isInstanceOf(LabException.class)
        .hasMessage(
            "--pin gives each end its own processors, but there is only one; leave out --pin");
  }
}
