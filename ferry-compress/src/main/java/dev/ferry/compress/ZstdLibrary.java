package dev.ferry.compress;

import com.github.luben.zstd.util.Native;
import java.util.Optional;

/** Whether the native library of zstd-jni can be used. */
final class ZstdLibrary {
  private ZstdLibrary() {}

  /** Why it cannot be used, in one line; empty where it can. Loads it at the first call. */
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
