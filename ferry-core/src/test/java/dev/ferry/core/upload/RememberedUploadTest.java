package dev.ferry.core.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RememberedUploadTest {
  private static final long LARGE = 100_000_000;

  @TempDir Path temporary;

  private RememberedUpload memory(String... key) {
    return new RememberedUpload(temporary.resolve("state/uploads"), List.of(key));
  }

  private static FileFacts file(long size, String version) {
    return new FileFacts("file", size, Instant.EPOCH, false, null).withVersion(version);
  }

  @Test
  void remembered_sameKeyAndVersion_isTheIdOfTheEarlierProcess() throws Exception {
    UploadId id;
    try (RememberedUpload first = memory("server", "path")) {
      assertThat(first.remembered(file(LARGE, "v1"))).isNull();
      id = first.create(file(LARGE, "v1"));
    }
    try (RememberedUpload other = memory("server", "other")) {
      assertThat(other.remembered(file(LARGE, "v1"))).isNull();
    }
    try (RememberedUpload changed = memory("server", "path")) {
      assertThat(changed.remembered(file(LARGE, "v2"))).isNull();
    }
    try (RememberedUpload second = memory("server", "path")) {
      assertThat(second.remembered(file(LARGE, "v1"))).isEqualTo(id);
      second.forget();
      assertThat(second.remembered(file(LARGE, "v1"))).isNull();
    }
  }

  @Test
  void create_whileAnotherUploadRuns_leavesItsIdAlone() throws Exception {
    UploadId id;
    try (RememberedUpload first = memory("key")) {
      id = first.create(file(LARGE, "v1"));
      try (RememberedUpload second = memory("key")) {
        assertThat(second.remembered(file(LARGE, "v1"))).isNull();
        assertThat(second.create(file(LARGE, "v1"))).isNotEqualTo(id);
        second.forget();
      }
    }
    try (RememberedUpload third = memory("key")) {
      assertThat(third.remembered(file(LARGE, "v1"))).isEqualTo(id);
    }
  }

  @Test
  void create_smallFileOrNoFolder_remembersNothing() throws Exception {
    try (RememberedUpload small = memory("key")) {
      UploadId unused = small.create(file(100, "v1"));
    }
    assertThat(temporary).isEmptyDirectory();
    Files.writeString(temporary.resolve("state"), "no folder");
    try (RememberedUpload none = memory("key")) {
      UploadId unused = none.create(file(LARGE, "v1"));
      assertThat(none.remembered(file(LARGE, "v1"))).isNull();
    }
  }

  @Test
  void remembered_damagedFile_isNull() throws Exception {
    try (RememberedUpload first = memory("key")) {
      UploadId unused = first.create(file(LARGE, "v1"));
    }
    Path folder = temporary.resolve("state/uploads");
    Path file = onlyFile(folder);
    for (String damaged : new String[] {"", "x\n" + LARGE + " v1", "\0".repeat(5000)}) {
      Files.writeString(file, damaged);
      try (RememberedUpload second = memory("key")) {
        assertThat(second.remembered(file(LARGE, "v1"))).isNull();
      }
    }
  }

  @Test
  void create_oldFilesOfEarlierProcesses_areDeleted() throws Exception {
    Path folder = Files.createDirectories(temporary.resolve("state/uploads"));
    Path old = Files.writeString(folder.resolve("old"), "lines");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
    try (RememberedUpload fresh = memory("fresh")) {
      UploadId unused = fresh.create(file(LARGE, "v1"));
    }
    assertThat(old).doesNotExist();
  }

  private static Path onlyFile(Path folder) throws Exception {
    try (var files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }
}
