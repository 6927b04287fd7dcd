package dev.ferry.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Sample.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SampleTest {
  private static final Sample SAMPLE =
      new Sample(
          1,
          2,
          7L,
          null,
          11L,
          13L,
          15L,
          17L,
          8,
          9,
          "http/1.1",
          "gzip",
          19L,
          "a histogram",
          List.of(new Part("Connect", "us", 0.5)),
          new Usage(3, 4, 5, 6, 7, 8, 9),
          new Usage(4, 5, 6, 7, 8, 9, 10),
          new Disturbance(7L, 1L, 2L, 3L, -4L, null, 6L));

  @Test
  void read_whatWasAppended_isTheSame(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("row.jsonl");
    SAMPLE.appendTo(file);
    SAMPLE.appendTo(file);

    assertThat(Sample.read(file)).containsExactly(SAMPLE, SAMPLE);
  }

  @Test
  void read_lineCutByAKill_leavesItOut(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("row.jsonl");
    SAMPLE.appendTo(file);
    Files.writeString(file, "{\"round\":1,\"na", StandardOpenOption.APPEND);

    assertThat(Sample.read(file)).containsExactly(SAMPLE);
  }

  @Test
  void read_noFile_isEmpty(@TempDir Path folder) throws IOException {
    assertThat(Sample.read(folder.resolve("row.jsonl"))).isEmpty();
  }
}
