package dev.ferry.lab.suite;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * Where the operations of a row leave their targets: a folder of this machine, or of the server's.
 * Thread-safe.
 */
public interface TargetFolder {
  /**
   * What a target contains.
   *
   * @param size its size in bytes
   * @param sha256 its digest
   */
  record Content(long size, Sha256 sha256) {}

  /**
   * Reads a target.
   *
   * @param name the name of a file in the folder
   * @throws IOException if there is no such file
   */
  Content read(String name) throws IOException;

  /**
   * Deletes a target.
   *
   * @throws IOException if there is no such file
   */
  void delete(String name) throws IOException;

  /**
   * Makes a file one that nobody has read yet: gives it another modification time, as a program
   * does that replaces it. What a server has remembered of it no longer holds. Neither its content
   * nor what the system caches of it changes.
   *
   * @throws IOException if there is no such file
   */
  void renew(String name) throws IOException;

  /**
   * Deletes a target, which must be a copy of the source.
   *
   * @param label what the message of a failure begins with
   * @throws FerryException if it is another file
   */
  default void take(String name, Workplace source, String label) throws IOException {
    Content left = read(name);
    if (left.size() != source.size()) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          "%sleft %d bytes, the source has %d".formatted(label, left.size(), source.size()));
    }
    if (!left.sha256().equals(source.sha256())) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%sleft SHA-256 %s, the source has %s".formatted(label, left.sha256(), source.sha256()));
    }
    delete(name);
  }

  /** Returns a folder of this machine. */
  static TargetFolder of(Path folder) {
    return new TargetFolder() {
      @Override
      public Content read(String name) throws IOException {
        Path file = folder.resolve(name);
        return new Content(Files.size(file), Sha256.ofFile(file));
      }

      @Override
      public void delete(String name) throws IOException {
        Files.delete(folder.resolve(name));
      }

      @Override
      public void renew(String name) throws IOException {
        Path file = folder.resolve(name);
        // Back, since no file is of the future; by what the coarsest file systems can tell apart.
        Files.setLastModifiedTime(
            file, FileTime.from(Files.getLastModifiedTime(file).toInstant().minusSeconds(2)));
      }
    };
  }
}
