package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The targets of one worker: a file that did not exist before, for each operation of each sample.
 * It is written under another name and renamed, as the sink of the rows does. Used by one thread,
 * except for {@link #write}.
 */
final class FreshFiles {
  private final Path folder;
  private final long client;
  private int sample;

  /**
   * Creates the targets of a client.
   *
   * @param client the id of its process
   */
  FreshFiles(Path folder, long client) {
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

  /** Returns the name of the target with a number. */
  String name(long number) {
    // A killed fork may have left its last target, so the name contains the process id.
    return "ceiling-" + client + "-" + number;
  }

  /** Writes the content of a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(FileChannel channel) throws IOException;
  }

  /**
   * Creates, fills, closes and renames the target with a number. On failure the file is deleted.
   */
  void write(long number, Content content) throws IOException {
    Path temporary = folder.resolve(name(number) + ".part");
    try {
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
      }
      Files.move(temporary, folder.resolve(name(number)), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /** Compares the target of an operation of the last sample with the source and deletes it. */
  void check(int operation, Workplace workplace, Direction direction) throws IOException {
    workplace.targets(direction).take(name(number(operation)), workplace, "");
  }
}
