package dev.ferry.lab.run;

import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.run.server.Folders;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a run's temporary files: the source, the targets, and what forks extract. {@code
 * close} deletes it.
 */
record WorkFolder(Path root) implements AutoCloseable {
  private static final int COPY_BYTES = 256 * 1024;

  /** The header and the trailer of gzip. */
  private static final int GZIP_FRAME_BYTES = 18;

  /**
   * An upper limit for file sizes that exceeds every disk. It prevents overflow in sums of sizes.
   */
  private static final long MOST_BYTES = 1L << 60;

  /** Creates a new folder in another one. */
  static WorkFolder create(Path parent) throws LabException {
    if (!Files.isDirectory(parent)) {
      throw LabException.failure(
          "work folder " + parent + " is not a folder; give --work-dir one that exists");
    }
    try {
      WorkFolder folder = new WorkFolder(Files.createTempDirectory(parent, "ferry-bench-"));
      Files.createDirectory(folder.store());
      Files.createDirectory(folder.client());
      Files.createDirectory(folder.temporary());
      return folder;
    } catch (IOException e) {
      throw LabException.failure(
          "work folder " + parent + " cannot be written; give --work-dir another one", e);
    }
  }

  Path store() {
    return root.resolve("store");
  }

  Path client() {
    return root.resolve("client");
  }

  /** Returns the temporary folder of forks. */
  Path temporary() {
    return root.resolve("tmp");
  }

  Path source() {
    return store().resolve(Workplace.SOURCE);
  }

  /**
   * Copies or generates the file to transfer.
   *
   * @param file the file; null for a generated one
   * @param generatedBytes the size of the generated file in bytes
   * @param loads what rows transfer in addition
   */
  SourceFile fetch(@Nullable Path file, long generatedBytes, List<Load> loads) throws LabException {
    String name = file == null ? TaxiFile.NAME : String.valueOf(file.getFileName());
    try {
      long bytes = file == null ? generatedBytes : check(file);
      if (bytes == 0 && !loads.isEmpty()) {
        throw LabException.failure(
            "file " + file + " is empty, and larger ones are made of it; give --file another one");
      }
      // Space for the source, a target, and as much again for a transfer in progress.
      long wanted = 3 * Math.min(bytes, MOST_BYTES) + LoadFiles.room(loads);
      long usable = Files.getFileStore(root).getUsableSpace();
      if (usable < wanted) {
        throw LabException.failure(
            ("work folder %s has %,d bytes left, the run needs %,d;"
                    + " give --work-dir a larger one, move a smaller file, or --filter fewer rows")
                .formatted(root.getParent(), usable, wanted));
      }
      if (file == null) {
        TaxiFile.write(source(), bytes);
      } else {
        Files.copy(file, source());
      }
      return new SourceFile(
          name, Files.size(source()), Sha256.ofFile(source()).toHex(), gzip1Bytes(source()));
    } catch (IOException e) {
      throw LabException.failure(
          "file cannot be copied to "
              + root.getParent()
              + " ("
              + FerryException.of(e, name).getMessage()
              + "); check that it can be read and that there is enough space",
          e);
    }
  }

  /** Checks that a path is a readable file. Returns its size in bytes. */
  static long check(Path file) throws LabException {
    if (!Files.exists(file)) {
      throw LabException.failure("file " + file + " does not exist; give --file another one");
    }
    if (!Files.isRegularFile(file)) {
      throw LabException.failure(
          "file " + file + " is not a regular file; give --file one, not a folder or device");
    }
    if (!Files.isReadable(file)) {
      throw LabException.failure(
          "file " + file + " cannot be read; change its permissions or give --file another one");
    }
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw LabException.failure("file " + file + " cannot be read; give --file another one", e);
    }
  }

  /** Deletes everything except sources, for instance what a failed row has left. */
  void clear() throws IOException {
    List<Path> left = new ArrayList<>();
    for (Path folder : List.of(store(), client())) {
      try (Stream<Path> entries = Files.list(folder)) {
        entries
            .filter(e -> !e.getFileName().toString().startsWith(Workplace.SOURCE))
            .forEach(left::add);
      }
    }
    for (Path entry : left) {
      Folders.delete(entry);
    }
  }

  private static long gzip1Bytes(Path file) throws IOException {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    try (InputStream in =
        new DeflaterInputStream(Files.newInputStream(file), deflater, COPY_BYTES)) {
      return GZIP_FRAME_BYTES + in.transferTo(OutputStream.nullOutputStream());
    } finally {
      deflater.end();
    }
  }

  @Override
  public void close() throws IOException {
    Folders.delete(root);
  }
}
