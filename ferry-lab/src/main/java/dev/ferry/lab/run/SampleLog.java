package dev.ferry.lab.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.lab.model.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Stores samples as lines of JSON, one file per row and round. Written lines survive a kill. */
final class SampleLog {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private SampleLog() {}

  static void append(Path file, Sample sample) throws IOException {
    Files.writeString(
        file,
        JSON.writeValueAsString(sample) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /**
   * Reads the samples of a file; empty if the file does not exist. A line truncated by a kill is
   * skipped.
   */
  static List<Sample> read(Path file) throws IOException {
    List<Sample> samples = new ArrayList<>();
    if (Files.exists(file)) {
      String text = Files.readString(file);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        samples.add(JSON.readValue(line, Sample.class));
      }
    }
    return samples;
  }
}
