package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.junit.jupiter.api.Test;

final class FerryVersionTest {
  @Test
  void current_builtByMaven_hasFilledPlaceholders() {
    FerryVersion current = FerryVersion.current();

    assertThat(current.version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(current.commit()).matches("[0-9a-f]{12}(-dirty)?|unknown");
  }

  /** Of a linked work tree, too, whose repository has another commit checked out. */
  @Test
  void current_builtInAWorkTree_hasItsCommit() throws Exception {
    Process git =
        new ProcessBuilder("git", "rev-parse", "--short=12", "HEAD")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assumeTrue(git.waitFor() == 0, "these sources are no work tree of git");

    assertThat(FerryVersion.current().commit()).isIn(commit, commit + "-dirty");
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
