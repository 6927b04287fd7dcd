package dev.ferry.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The version of Ferry.
 *
 * @param version the Maven version
 * @param commit the first 12 digits of the Git commit that was built, followed by {@code -dirty} if
 *     the work tree had changes; {@code unknown} if it was built outside a repository
 */
public record FerryVersion(String version, String commit) {
  private static final String RESOURCE = "version.properties";

  /** The version of the running code. */
  public static FerryVersion current() {
    Properties properties = new Properties();
    try (InputStream in = FerryVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing: build with Maven");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(properties);
  }

  static FerryVersion of(Properties properties) {
    String commit = properties.getProperty("commit", "");
    if (!commit.matches("[0-9a-f]{7,40}")) {
      // Outside a repository, the build does not replace the placeholder.
      commit = "unknown";
    } else if (properties.getProperty("dirty", "").equals("true")) {
      commit += "-dirty";
    }
    return new FerryVersion(properties.getProperty("version", "unknown"), commit);
  }

  /** For instance {@code 0.1.0 (604c51a2b3c4)}. */
  @Override
  public String toString() {
    return version + " (" + commit + ")";
  }
}
