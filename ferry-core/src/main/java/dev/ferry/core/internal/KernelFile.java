package dev.ferry.core.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files that the kernel makes, below {@code /proc} and {@code /sys}. Some of them give all to
 * the first read and nothing to the next, and {@link Files#readString} of JDK 17 begins with a read
 * of one byte.
 */
public final class KernelFile {
  /** The kernel makes most files for one page of memory. */
  private static final int BYTES = 64 * 1024;

  private KernelFile() {}

  /** Returns the whole text of a file. */
  public static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = new byte[BYTES];
      StringBuilder text = new StringBuilder();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        text.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
      }
      return text.toString();
    }
  }
}
