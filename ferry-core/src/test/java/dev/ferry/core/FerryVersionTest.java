package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

final class FerryVersionTest {
  @Test
  void current_builtByMaven_hasFilledPlaceholders() {
    FerryVersion current = FerryVersion.current();

    assertThat(current.version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(current.commit()).matches("[0-9a-f]{12}(-dirty)?|unknown");
  }

  @Test
  void of_unfilledCommit_isUnknown() {
    FerryVersion version = FerryVersion.of(properties("${git.commit.id.abbrev}", "${git.dirty}"));

    assertThat(version.toString()).isEqualTo("1.2.3 (unknown)");
  }

  @Test
  void of_changedWorkTree_saysDirty() {
    assertThat(FerryVersion.of(properties("0123456789ab", "true")).commit())
        .isEqualTo("0123456789ab-dirty");
  }

  private static Properties properties(String commit, String dirty) {
    Properties properties = new Properties();
    properties.setProperty("version", "1.2.3");
    properties.setProperty("commit", commit);
    properties.setProperty("dirty", dirty);
    return properties;
  }
}
