package dev.ferry.lab.run;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Provides files of the sizes that rows and ceilings need. A file is created on first use from the
 * run's file, repeated and truncated, and is kept for the run. Used by one thread.
 */
final class LoadFiles {
  private final Path pattern;
  private final Source own;
  private final Map<Long, Source> made = new LinkedHashMap<>();

  /**
   * A file to transfer.
   *
   * @param file the path
   * @param bytes the size in bytes
   * @param sha256 the digest in hexadecimal
   */
  record Source(Path file, long bytes, String sha256) {}

  /**
   * Creates the provider from the run's file. The file must not be empty if another size is
   * requested.
   */
  LoadFiles(Path pattern, SourceFile file) {
    this.pattern = pattern;
    this.own = new Source(pattern, file.bytes(), file.sha256());
    made.put(own.bytes(), own);
  }

  /** Returns the disk space in bytes that loads need for sources and targets. */
  static long room(List<Load> loads) {
    return loads.stream().mapToLong(Load::fileBytes).distinct().sum()
        + loads.stream().mapToLong(Load::bytes).max().orElse(0);
  }

  /** Returns the file of a load; for null, the run's file. */
  Source source(@Nullable Load load) throws IOException {
    return load == null || !load.movesFiles() ? own : source(load.fileBytes());
  }

  /** Returns the file of a size. */
  Source source(long bytes) throws IOException {
    Source source = made.get(bytes);
    if (source == null) {
      Path file = pattern.resolveSibling(Workplace.SOURCE + "-" + bytes);
      repeat(file, bytes);
      source = new Source(file, bytes, Sha256.ofFile(file).toHex());
      made.put(bytes, source);
    }
    return source;
  }

  private void repeat(Path file, long bytes) throws IOException {
    try (FileChannel in = FileChannel.open(pattern);
        FileChannel out =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; ) {
        at += in.transferTo(at % own.bytes(), bytes - at, out);
      }
      // Forces the data to disk so that the kernel does not write it back during a measurement.
      out.force(true);
    }
  }
}
