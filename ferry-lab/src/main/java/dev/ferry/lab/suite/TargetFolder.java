package dev.ferry.lab.suite;

import dev.ferry.core.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
    };
  }
}
