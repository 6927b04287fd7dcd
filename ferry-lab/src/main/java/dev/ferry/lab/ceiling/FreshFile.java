package dev.ferry.lab.ceiling;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A target that never existed before, written under another name and renamed, as the rows' sink
 * does it.
 *
 * @param target its name in the end
 */
record FreshFile(Path target) {
  /**
   * The targets of one worker, a fresh name for each operation of each sample. Used by one thread,
   * but for {@link #of}.
   */
  static final class Names {
    private final Path folder;
    private int sample;

    Names(Path folder) {
      this.folder = folder;
    }

    /** Goes on to the next sample. */
    void prepare() {
      sample++;
    }

    /** The number of an operation, among those of all samples. */
    long number(int operation) {
      return ((long) sample << Integer.SIZE) + operation;
    }

    /** The target of a number. */
    FreshFile of(long number) {
      // A fork that was killed may have left its last target: never meet it again.
      return new FreshFile(
          folder.resolve("ceiling-" + ProcessHandle.current().pid() + "-" + number));
    }
  }

  private Path temporary() {
    return target.resolveSibling(target.getFileName() + ".part");
  }

  /** Something that fills a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(FileChannel channel) throws IOException;
  }

  /** Creates, fills, closes and renames the file; nothing is left of it where that fails. */
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

  /** Compares the file with the source, and deletes it. */
  void check(Workplace workplace) throws IOException {
    long size = Files.size(target);
    if (size != workplace.size()) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, "left " + size + " bytes, the source has " + workplace.size());
    }
    Sha256 digest = Sha256.ofFile(target);
    if (!digest.equals(workplace.sha256())) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "left SHA-256 " + digest + ", the source has " + workplace.sha256());
    }
    Files.delete(target);
  }
}
