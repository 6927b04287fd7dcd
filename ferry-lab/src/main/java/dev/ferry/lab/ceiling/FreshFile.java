package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.TargetFolder;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A target that did not exist before. It is written under another name and renamed, as the sink of
 * the rows does.
 *
 * @param target the final name
 */
record FreshFile(Path target) {
  /**
   * The targets of one worker: a new name for each operation of each sample. Used by one thread,
   * except for {@link #of}.
   */
  static final class Names {
    private final Path folder;
    private final long client;
    private int sample;

    /** Creates the names of a client in this process. */
    Names(Path folder) {
      this(folder, ProcessHandle.current().pid());
    }

    /**
     * Creates the names of a client.
     *
     * @param client the id of its process
     */
    Names(Path folder, long client) {
      this.folder = folder;
      this.client = client;
    }

    /** Starts the next sample. */
    void prepare() {
      sample++;
    }

    /** Returns the number of an operation, counted across all samples. */
    long number(int operation) {
      return ((long) sample << Integer.SIZE) + operation;
    }

    /** Returns the target with a number. */
    FreshFile of(long number) {
      // A killed fork may have left its last target, so the name contains the process id.
      return new FreshFile(folder.resolve("ceiling-" + client + "-" + number));
    }
  }

  private Path temporary() {
    return target.resolveSibling(target.getFileName() + ".part");
  }

  /** Writes the content of a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(FileChannel channel) throws IOException;
  }

  /** Creates, fills, closes and renames the file. On failure the file is deleted. */
  void write(Content content) throws IOException {
    Path temporary = temporary();
    try {
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /**
   * Compares the file with the source and deletes it.
   *
   * @param folder the folder of the target
   */
  void check(Workplace workplace, TargetFolder folder) throws IOException {
    folder.take(name(), workplace, "");
  }

  /** Returns the name of the target in its folder. */
  String name() {
    return String.valueOf(target.getFileName());
  }
}
