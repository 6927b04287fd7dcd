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

/** Samples as lines of JSON, one file per row and round; what was written survives a kill. */
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

  /** The samples of a file; none where there is no file. A line cut short by a kill is left out. */
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
