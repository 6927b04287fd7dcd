package dev.ferry.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServedFolderTest {
  @TempDir Path temporary;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectories(temporary.resolve("srv/files/in"));
    Files.createDirectories(temporary.resolve("etc"));
    Files.createFile(temporary.resolve("srv/files/in/f"));
    Files.createFile(temporary.resolve("etc/f"));
    Files.createSymbolicLink(temporary.resolve("alias"), temporary.resolve("srv/files"));
    Files.createSymbolicLink(temporary.resolve("srv/files/to-etc"), temporary.resolve("etc/f"));
    Files.createSymbolicLink(
        temporary.resolve("etc/to-files"), temporary.resolve("srv/files/in/f"));
    Files.createSymbolicLink(temporary.resolve("etc/dangling"), temporary.resolve("none"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "srv/files",
        "srv/files/.",
        "srv/files/in/f",
        "srv/files/none/f",
        "srv/other/../files/f",
        "alias",
        "alias/in/f",
        "alias/none/none",
        "srv/files/to-etc",
        "alias/to-etc",
        "etc/to-files"
      })
  void has_aPathThatClientsReach_isTrue(String path) throws IOException {
    for (String root : new String[] {"srv/files", "alias"}) {
      assertThat(ServedFolder.of(temporary.resolve(root)).has(temporary.resolve(path))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "srv",
        "srv/files2",
        "srv/files/..",
        "srv/files/../f",
        "etc/f",
        "etc/dangling",
        "none/none"
      })
  void has_aPathElsewhere_isFalse(String path) throws IOException {
    assertThat(ServedFolder.of(temporary.resolve("alias")).has(temporary.resolve(path))).isFalse();
  }

  @Test
  void has_relativePaths_areThoseOfTheCurrentFolder() throws IOException {
    assertThat(ServedFolder.of(Path.of("")).has(Path.of("conf"))).isTrue();
    assertThat(ServedFolder.of(Path.of("conf")).has(Path.of(""))).isFalse();
    assertThat(ServedFolder.of(Path.of("/")).has(Path.of("/"))).isTrue();
  }
}
