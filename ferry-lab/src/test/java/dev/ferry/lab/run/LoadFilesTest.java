package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RunDocument.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadFilesTest {
  @TempDir Path folder;

  @Test
  void source_ofAnotherSize_isThePatternRepeatedAndCut() throws IOException {
    LoadFiles files = files("abc");
    LoadFiles.Source longer = files.source(8);
    LoadFiles.Source shorter = files.source(2);

    assertThat(longer.file()).hasContent("abcabcab");
    assertThat(longer.bytes()).isEqualTo(8);
    assertThat(longer.sha256()).isEqualTo(Sha256.ofFile(longer.file()).toHex());
    assertThat(shorter.file()).hasContent("ab");
    assertThat(files.source(8)).isSameAs(longer);
  }

  @Test
  void source_ofThePatternsSize_isThePattern() throws IOException {
    assertThat(files("abc").source(3).file()).isEqualTo(folder.resolve("source"));
  }

  @Test
  void source_longerThanOneBuffer_hasItsSize() throws IOException {
    assertThat(files("abcdefg".repeat(10_000)).source(3_000_001).file()).hasSize(3_000_001);
  }

  @Test
  void room_severalLoads_isOneSourceEachAndTheMostOfTargets() {
    assertThat(LoadFiles.room(List.of())).isZero();
    assertThat(
            LoadFiles.room(
                List.of(Load.files(10, 1, 64), Load.files(10, 1, 1), Load.files(7, 3, 1))))
        .isEqualTo(10 + 7 + 640);
  }

  @Test
  void fetch_loadLargerThanTheDisk_saysSoBeforeAnythingIsWritten() throws Exception {
    try (WorkFolder work = WorkFolder.create(folder)) {
      assertThatThrownBy(
              () -> work.fetch(null, TaxiFile.BYTES, List.of(Load.files(1L << 60, 1, 1))))
          .isInstanceOf(LabException.class)
          .hasMessageContaining("bytes left, the run needs")
          .hasMessageContaining("--filter fewer rows");
      assertThat(work.store()).isEmptyDirectory();
    }
  }

  @Test
  void fetch_generatedFileLargerThanTheDisk_saysSoBeforeAnythingIsWritten() throws Exception {
    try (WorkFolder work = WorkFolder.create(folder)) {
      assertThatThrownBy(() -> work.fetch(null, Long.MAX_VALUE, List.of()))
          .isInstanceOf(LabException.class)
          .hasMessageContaining("bytes left, the run needs");
      assertThat(work.store()).isEmptyDirectory();
    }
  }

  @Test
  void fetch_emptyFileForALoad_saysSo() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty"));
    try (WorkFolder work = WorkFolder.create(folder)) {
      assertThatThrownBy(() -> work.fetch(empty, TaxiFile.BYTES, List.of(Load.files(1, 1, 1))))
          .isInstanceOf(LabException.class)
          .hasMessageContaining("is empty");
    }
  }

  @Test
  void clear_afterAFailedRow_keepsSourcesAlone() throws Exception {
    try (WorkFolder work = WorkFolder.create(folder)) {
      Files.writeString(work.source(), "abc");
      Files.writeString(work.store().resolve("source-8"), "abcabcab");
      Files.writeString(work.store().resolve("target-1-1"), "ab");
      Files.createDirectory(work.client().resolve("x"));
      Files.writeString(work.client().resolve("x").resolve("y"), "ab");
      work.clear();

      assertThat(work.client()).isEmptyDirectory();
      assertThat(work.store().toFile().list()).containsExactlyInAnyOrder("source", "source-8");
    }
  }

  private LoadFiles files(String pattern) throws IOException {
    Path source = Files.writeString(folder.resolve("source"), pattern);
    return new LoadFiles(
        source, new SourceFile("pattern", pattern.length(), Sha256.ofFile(source).toHex(), 0));
  }
}
