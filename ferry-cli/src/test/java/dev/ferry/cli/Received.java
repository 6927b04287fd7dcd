package dev.ferry.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What has arrived of files that are not complete yet. */
public final class Received {
  private Received() {}

  /** Returns its bytes in a folder, and of uploads to a server of this folder. */
  public static long bytes(Path folder) throws IOException {
    Path uploads = folder.resolve(".ferry-uploads");
    return bytes(folder, ".part")
        + bytes(folder, ".kept")
        + (Files.isDirectory(uploads) ? bytes(uploads, ".bytes") : 0);
  }

  private static long bytes(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
