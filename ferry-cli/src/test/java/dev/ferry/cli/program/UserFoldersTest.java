package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class UserFoldersTest {
  @Test
  void folders_withAbsoluteVariables_areBelowThem() {
    Map<String, String> environment =
        Map.of("HOME", "/home/a", "XDG_STATE_HOME", "/state", "XDG_CONFIG_HOME", "/config");
    assertThat(UserFolders.uploads(environment)).isEqualTo(Path.of("/state/ferry/uploads"));
    assertThat(UserFolders.downloads(environment)).isEqualTo(Path.of("/state/ferry/downloads"));
    assertThat(UserFolders.config(environment)).isEqualTo(Path.of("/config/ferry/config"));
  }

  @Test
  void folders_withRelativeVariables_areThoseOfTheHome() {
    Map<String, String> environment =
        Map.of("HOME", "/home/a", "XDG_STATE_HOME", "state", "XDG_CONFIG_HOME", "./config");
    assertThat(UserFolders.uploads(environment))
        .isEqualTo(Path.of("/home/a/.local/state/ferry/uploads"));
    assertThat(UserFolders.config(environment)).isEqualTo(Path.of("/home/a/.config/ferry/config"));
    assertThat(UserFolders.uploads(Map.of("XDG_STATE_HOME", "state"))).isNull();
  }
}
