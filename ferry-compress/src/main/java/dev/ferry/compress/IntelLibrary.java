package dev.ferry.compress;

import com.intel.gkl.compression.IntelDeflater;
import com.intel.gkl.compression.IntelInflater;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Loads Intel GKL, an optional dependency with a native library in its jar. */
final class IntelLibrary {
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64");

  private IntelLibrary() {}

  /** Why the library cannot be used, in one line; empty if it can. The first call loads it. */
  static Optional<String> obstacle() {
    return Loaded.OBSTACLE;
  }

  private static final class Loaded {
    static final Optional<String> OBSTACLE = load();

    private Loaded() {}
  }

  private static Optional<String> load() {
    String arch = System.getProperty("os.arch");
    String os = System.getProperty("os.name");
    String lower = os.toLowerCase(Locale.ROOT);
    if (!ARCHITECTURES.contains(arch) || !(lower.startsWith("linux") || lower.startsWith("mac"))) {
      return Optional.of("Intel GKL is for x86-64 on Linux and macOS, this is " + os + " " + arch);
    }
    try {
      return loadQuietly();
    } catch (NoClassDefFoundError e) {
      return Optional.of(
          "Intel GKL is not on the class path, add com.intel.gkl:gkl ("
              + e.getMessage()
              + " is missing)");
    } catch (LinkageError | IOException e) {
      return Optional.of("the native library of Intel GKL does not load: " + e);
    }
  }

  /** Disables GKL's logging, which by default prints to standard error. */
  private static Optional<String> loadQuietly() throws IOException {
    Logger logger = Logger.getLogger("com.intel.gkl");
    Level before = logger.getLevel();
    logger.setLevel(Level.OFF);
    try {
      return loadFromDirectory();
    } finally {
      logger.setLevel(before);
    }
  }

  /**
   * GKL extracts its library to a file that it deletes only on a normal JVM exit. This method
   * deletes the file immediately; a loaded library does not need it.
   */
  private static Optional<String> loadFromDirectory() throws IOException {
    Path directory = Files.createTempDirectory("ferry-gkl");
    try {
      return loadCodecs(directory.toFile())
          ? Optional.empty()
          : Optional.of("the native library of Intel GKL does not load from " + directory);
    } finally {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private static boolean loadCodecs(File directory) {
    IntelDeflater deflater = new IntelDeflater();
    IntelInflater inflater = new IntelInflater();
    try {
      return deflater.load(directory) && inflater.load(directory);
    } finally {
      deflater.end();
      inflater.end();
    }
  }
}
