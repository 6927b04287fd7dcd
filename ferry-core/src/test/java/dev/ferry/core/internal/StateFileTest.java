package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class StateFileTest {
  private static final String KEY = "key";
  private static final List<String> LINES = List.of("line");

  @TempDir private Path folder;

  /** Another process, which says whether it can open the file. */
  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] arguments) {
      try (StateFile file = new StateFile(Path.of(arguments[0]), List.of(KEY))) {
        System.out.print(file.open());
      }
    }
  }

  private boolean opensInAnotherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isIn("true", "false");
    return Boolean.parseBoolean(said);
  }

  private StateFile file(String key) {
    return new StateFile(folder, List.of(key));
  }

  private Path only() throws Exception {
    try (var files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }

  private static void makeOld(Path file) throws Exception {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
  }

  @Test
  void open_twiceInOneProcess_leavesTheLockOfTheFirst() throws Exception {
    try (StateFile first = file(KEY)) {
      assertThat(first.open()).isTrue();
      try (StateFile second = file(KEY)) {
        assertThat(second.open()).isFalse();
      }
      assertThat(opensInAnotherProcess()).isFalse();
    }
    assertThat(opensInAnotherProcess()).isTrue();
  }

  @Test
  void open_link_isNotFollowed() throws Exception {
    try (StateFile file = file(KEY)) {
      assertThat(file.open()).isTrue();
    }
    Path outside = Files.createTempFile("ferry", ".txt");
    try {
      Path link = only();
      Files.delete(link);
      Files.createSymbolicLink(link, outside);
      try (StateFile file = file(KEY)) {
        assertThat(file.open()).isFalse();
        assertThat(file.write(LINES)).isFalse();
      }
      assertThat(outside).isEmptyFile();
    } finally {
      Files.delete(outside);
    }
  }

  @Test
  void deleteUnused_fileThatIsOpen_leavesIt() throws Exception {
    try (StateFile file = file(KEY)) {
      assertThat(file.open()).isTrue();
      assertThat(file.write(LINES)).isTrue();
      makeOld(only());
      StateFile.deleteUnused(folder);
      assertThat(file.read()).isEqualTo(LINES);
      assertThat(only()).exists();
    }
    StateFile.deleteUnused(folder);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void open_writtenAWeekAgo_hasNoLines() throws Exception {
    try (StateFile file = file(KEY)) {
      assertThat(file.open()).isTrue();
      assertThat(file.write(LINES)).isTrue();
    }
    makeOld(only());
    try (StateFile file = file(KEY)) {
      assertThat(file.open()).isTrue();
      assertThat(file.read()).isEmpty();
    }
  }

  @Test
  void open_whileOthersAreDeleted_succeeds() throws Exception {
    List<Background<Boolean>> all = new ArrayList<>();
    for (String key : List.of("a", "b", "c", "d")) {
      all.add(
          Background.start(
              () -> {
                boolean opened = true;
                for (int n = 0; n < 200; n++) {
                  try (StateFile file = file(key)) {
                    opened &= file.open() && file.write(LINES);
                    StateFile.deleteUnused(folder);
                    file.delete();
                  }
                }
                return opened;
              }));
    }
    for (Background<Boolean> each : all) {
      assertThat(each.result()).isTrue();
    }
    assertThat(folder).isEmptyDirectory();
  }
}
