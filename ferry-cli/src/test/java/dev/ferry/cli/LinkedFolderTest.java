package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A served link that is switched to another folder. */
final class LinkedFolderTest {
  @TempDir Path temporary;
  private Path link;

  @BeforeEach
  void makeReleases() throws Exception {
    for (String release : new String[] {"1", "2"}) {
      TestFiles.write(
          temporary.resolve("releases/" + release + "/f"),
          release.getBytes(StandardCharsets.UTF_8));
    }
    Files.createDirectories(temporary.resolve("releases/1/below"));
    Files.writeString(temporary.resolve("key"), "secret");
    link = Files.createSymbolicLink(temporary.resolve("current"), Path.of("releases/1"));
  }

  private void switchTo(String target) throws Exception {
    Path next = Files.createSymbolicLink(temporary.resolve("next"), Path.of(target));
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
  }

  private FileStore serve() throws Exception {
    Map<String, Path> outside = Map.of("--tls-key", temporary.resolve("key"));
    return ServedStore.folder(link, SinkOptions.DEFAULT, true, outside).store();
  }

  private static String read(FileStore store) throws Exception {
    try (FileSource file = store.open(new StorePath("f"))) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.facts().size());
      file.readFully(bytes, 0);
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void requests_afterASwitch_areForTheOtherFolder() throws Exception {
    FileStore store = serve();
    assertThat(read(store)).isEqualTo("1");
    try (FileSink begun = store.create(new StorePath("begun"), CreateOptions.DEFAULT)) {
      switchTo("releases/2");
      assertThat(read(store)).isEqualTo("2");
      assertThat(TestFiles.list(store, StorePath.ROOT)).hasSize(1);
      begun.write(ByteBuffer.allocate(1));
      assertThat(begun.commit(1, null).size()).isEqualTo(1);
    }
    // What had begun stays where it was begun.
    assertThat(temporary.resolve("releases/1/begun")).exists();
    try (FileSink next = store.create(new StorePath("next"), CreateOptions.DEFAULT)) {
      assertThat(next.commit(0, null).size()).isZero();
    }
    assertThat(temporary.resolve("releases/2/next")).exists();
    switchTo("releases/1");
    assertThat(read(store)).isEqualTo("1");
  }

  /** Nothing, a file, what has the key, a folder that users could have chosen. */
  @ParameterizedTest
  @ValueSource(strings = {"releases/none", "key", ".", "releases/1/below"})
  void requests_whereTheLinkLeadsToWhatCannotBeServed_areForTheFolderBefore(String target)
      throws Exception {
    FileStore store = serve();
    switchTo(target);
    assertThat(read(store)).isEqualTo("1");
    assertThat(read(store)).isEqualTo("1");
    switchTo("releases/2");
    assertThat(read(store)).isEqualTo("2");
  }

  @Test
  void requests_ofALinkInTheFolderItself_stayThere() throws Exception {
    Path inside = Files.createSymbolicLink(temporary.resolve("releases/self"), Path.of("."));
    FileStore store = ServedStore.folder(inside, SinkOptions.DEFAULT, true, Map.of()).store();
    store.makeLink(new StorePath("self"), "1", true);
    assertThat(store.exists(new StorePath("2/f"))).isTrue();
  }
}
