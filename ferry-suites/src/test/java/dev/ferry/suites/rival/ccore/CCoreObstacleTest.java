package dev.ferry.suites.rival.ccore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps rows of the C core from running. */
final class CCoreObstacleTest {
  @TempDir Path folder;

  private Path program(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void obstacle_noPythonWithThePackages_saysWhatToInstall() throws Exception {
    Path bare = program("bare", "#!/bin/sh\nexit 1\n");
    Path broken = program("broken", "#!/no/such/interpreter\n");
    Path hidden = folder.resolve("hidden");

    assertThat(CCore.obstacle(List.of(hidden, bare, broken)))
        .contains("install python3-grpcio (tools/install-peers.sh)");
    assertThat(CCore.obstacle(List.of())).isPresent();
  }

  @Test
  void obstacle_aLaterPythonHasThem_isNone() throws Exception {
    Path bare = program("bare", "#!/bin/sh\nexit 1\n");
    Path good = program("good", "#!/bin/sh\nexit 0\n");

    assertThat(CCore.obstacle(List.of(bare, good))).isEmpty();
  }
}
