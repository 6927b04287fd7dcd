package dev.ferry.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileLogsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  Path folder;

  private static LogRecord record(int i) {
    return new LogRecord("line\n\"" + i + "\" \u00e4", LogLevel.values()[i % 5], "c", i);
  }

  @Test
  void record_ofAnyPlace_isWhatWasAppendedThere() throws Exception {
    Path file = Files.writeString(folder.resolve("log"), "{\"from\": \"another life\"}\n");
    try (FileLogs logs = FileLogs.open(file)) {
      for (int i = 0; i < 2_500; i++) {
        assertThat(logs.append(record(i))).isEqualTo(i);
      }
      for (int i : new int[] {0, 1, 1_023, 1_024, 1_025, 2_047, 2_048, 2_499}) {
        assertThat(logs.record(i)).isEqualTo(record(i));
      }
      assertThatThrownBy(() -> logs.record(2_500))
          .isInstanceOf(FerryException.class)
          .hasMessage("log record 2500 does not exist: there are 2500");
    }
    assertThat(Files.readAllLines(file)).hasSize(2_501);
  }

  @Test
  void append_fullDisk_failsAndKeepsNothing() throws Exception {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    try (FileLogs logs = FileLogs.open(full)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> logs.append(record(0)))
            .isInstanceOfSatisfying(
                FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.OUT_OF_SPACE));
      }
      assertThat(logs.count()).isZero();
    }
  }
}
