package dev.ferry.cli.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder for results that are kept on a server. */
record LocalFolder(Path path) {
  static LocalFolder create() throws IOException {
    return new LocalFolder(Files.createTempDirectory("ferry-load-results-"));
  }

  /** Deletes the folder, the folders in it, and their files. */
  void delete() throws IOException {
    delete(path);
  }

  private static void delete(Path folder) throws IOException {
    List<Path> entries;
    try (Stream<Path> list = Files.list(folder)) {
      entries = list.toList();
    }
    for (Path entry : entries) {
      if (Files.isDirectory(entry)) {
        delete(entry);
      } else {
        Files.delete(entry);
      }
    }
    Files.delete(folder);
  }
}
