package dev.ferry.cli.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder for files that are not kept. */
public record TemporaryFolder(Path path) {
  public static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /** Deletes the folder, the folders in it, and their files. */
  public void delete() throws IOException {
    delete(path);
  }

  private static void delete(Path folder) throws IOException {
    List<Path> entries;
    try (Stream<Path> list = Files.list(folder)) {
      entries = list.toList();
    }
    for (Path entry : entries) {
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        delete(entry);
      } else {
        Files.delete(entry);
      }
    }
    Files.delete(folder);
  }
}
