package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertThat(TemporaryNames.isLeftover(TemporaryNames.fresh(ROOT), Instant.MAX)).isFalse();
  }

  /** The name of a file of another process: its number is that of none here. */
  private static String dead(String ending) {
    String own = String.valueOf(TemporaryNames.fresh(ROOT).getFileName());
    return own.replaceFirst("ferry-\\d+", "ferry-999999999").replace(".part", ending);
  }

  private static String elsewhere(String name) {
    String[] parts = name.split("-");
    parts[3] = HexFormat.of().toHexDigits(~Integer.parseUnsignedInt(parts[3], 16));
    return String.join("-", parts);
  }

  @ParameterizedTest
  @ValueSource(strings = {".part", ".kept"})
  void isLeftover_ofAProcessThatCannotBeSeen_isTrueAfterADay(String ending, @TempDir Path folder)
      throws Exception {
    String name = elsewhere(dead(ending));
    Path file = Files.createFile(folder.resolve(name));
    // A complete file has the time that its sender wants before it gets its name.
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    Instant now = Instant.now();

    assertThat(TemporaryNames.isFerrys(file)).isTrue();
    assertThat(TemporaryNames.isLeftover(file, now)).isFalse();
    assertThat(LeftoverSweep.in(folder)).isZero();
    assertThat(LeftoverSweep.beforeDeletion(folder)).isZero();
    assertThat(file).exists();
    assertThat(TemporaryNames.isLeftover(file, now.plus(Duration.ofHours(25)))).isTrue();
    // The state file of a download is locked while a process anywhere uses it.
    assertThat(TemporaryNames.isOfNoneRunning(name)).isTrue();
  }

  @Test
  void isLeftover_ofADeadProcess_isTrueAtOnce() {
    String name = dead(".part");
    assertThat(TemporaryNames.isLeftover(ROOT.resolve(name), Instant.now())).isTrue();
    assertThat(TemporaryNames.isOfNoneRunning(name)).isTrue();
  }
}
