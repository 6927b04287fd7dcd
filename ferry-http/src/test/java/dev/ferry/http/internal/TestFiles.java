package dev.ferry.http.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Bytes to send and folders to look into. */
public final class TestFiles {
  private TestFiles() {}

  /** Random bytes of 7 bits, which are compressed if gzip is on. */
  public static byte[] random(int size) {
    return dev.ferry.core.TestFiles.random(size, size);
  }

  /** Random bytes, which are sent as they are even if gzip is on. */
  public static byte[] incompressible(int size) {
    return dev.ferry.core.TestFiles.incompressible(size, size);
  }

  /** Text that gzip makes a quarter of, or so. */
  public static byte[] compressible(int size) {
    StringBuilder text = new StringBuilder(size + 64);
    Random random = new Random(size);
    while (text.length() < size) {
      text.append("CMT,1,1,").append(random.nextInt(3000)).append(",CRD,17.5\n");
    }
    return text.substring(0, size).getBytes(StandardCharsets.US_ASCII);
  }

  public static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Every name below a folder: also what should not be there. */
  public static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(p -> !p.equals(folder))
          .map(p -> folder.relativize(p).toString())
          .sorted()
          .toList();
    }
  }
}
