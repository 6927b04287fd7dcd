package dev.ferry.cli.access;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folder that a server serves. Its callers can read and replace what is in it, so the files
 * that protect the server must be elsewhere.
 *
 * @param root without symbolic links
 */
public record ServedFolder(Path root) {
  /**
   * Returns the folder of a path.
   *
   * @param folder need not exist
   */
  public static ServedFolder of(Path folder) throws IOException {
    return new ServedFolder(real(folder.toAbsolutePath()));
  }

  /**
   * Returns why the folder cannot be served, in one line: it has a file that protects the server.
   *
   * @param files by the options that name them
   * @return null if it can be
   */
  public @Nullable String refusal(Map<String, Path> files) throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      if (has(file.getValue())) {
        return "%s: %s is in the folder to serve, %s; keep it where no client reaches it"
            .formatted(file.getKey(), file.getValue(), root);
      }
    }
    return null;
  }

  /**
   * Returns whether a file is in the folder, or the folder itself: by its path as written, after
   * all symbolic links, or after those of the folders above it. So a link in the folder counts,
   * wherever it leads.
   *
   * @param file need not exist
   */
  public boolean has(Path file) throws IOException {
    Path written = file.toAbsolutePath().normalize();
    Path above = written.getParent();
    return written.startsWith(root)
        || real(file.toAbsolutePath()).startsWith(root)
        || (above != null && real(above).resolve(written.getFileName()).startsWith(root));
  }

  /** Resolves all links; of a path that does not exist, those of the folders that exist. */
  private static Path real(Path path) throws IOException {
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      Path above = path.getParent();
      return above == null ? path : real(above).resolve(path.getFileName()).normalize();
    }
  }
}
