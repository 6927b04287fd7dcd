package dev.ferry.compress;

import com.github.luben.zstd.util.Native;
import java.util.Optional;

/** Loads the native library of zstd-jni. */
final class ZstdLibrary {
  private ZstdLibrary() {}

  /** Why the library cannot be used, in one line; empty if it can. The first call loads it. */
  static Optional<String> obstacle() {
    return Loaded.OBSTACLE;
  }

  private static final class Loaded {
    static final Optional<String> OBSTACLE = load();

    private Loaded() {}
  }

  private static Optional<String> load() {
    try {
      Native.load();
      return Optional.empty();
    } catch (NoClassDefFoundError e) {
      return Optional.of(
          "zstd-jni is not on the class path, add com.github.luben:zstd-jni ("
              + e.getMessage()
              + " is missing)");
    } catch (LinkageError e) {
      String firstLine = e.toString().lines().findFirst().orElse("");
      return Optional.of("the native library of zstd-jni does not load: " + firstLine);
    }
  }
}
