package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TemporaryNamesTest {
  private static final Path ROOT = Path.of("root");

  @Test
  void fresh_name_isReserved() {
    String fresh = String.valueOf(TemporaryNames.fresh(ROOT).getFileName());
    assertThat(TemporaryNames.fresh(ROOT)).hasParentRaw(ROOT).isNotEqualTo(ROOT.resolve(fresh));
    assertThatExceptionOfType(FerryException.class).isThrownBy(() -> StorePath.parse(fresh));
  }

  @Test
  void fresh_nameOfThisProcess_isNoLeftover() {
    assertThat(TemporaryNames.isLeftover(String.valueOf(TemporaryNames.fresh(ROOT).getFileName())))
        .isFalse();
  }
}
