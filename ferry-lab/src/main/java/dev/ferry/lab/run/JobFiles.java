package dev.ferry.lab.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;

/** Jobs on disk, on their way from the parent to a fork. */
final class JobFiles {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private JobFiles() {}

  static void write(Path file, Object job) throws IOException {
    JSON.writeValue(file.toFile(), job);
  }

  static <T> T read(Path file, Class<T> type) throws IOException {
    return JSON.readValue(file.toFile(), type);
  }
}
