package dev.ferry.core;

import dev.ferry.core.internal.Action;
import java.time.Instant;
import java.util.List;

/**
 * The files of a store, as they are seen beside the server: on the local disk, or in an object
 * store. Names are those of the store.
 */
public interface StoredFiles extends AutoCloseable {
  /**
   * Whether the files are on the local disk. Only there a test can damage or forbid writes, make
   * symbolic links, and find the temporary files of uploads.
   */
  boolean onLocalDisk();

  /** Whether a file that was replaced after it was opened can be read to its end. */
  boolean readsReplacedFiles();

  /** Opens the store, with limits for uploads. */
  FileStore open(ReceiveLimits limits) throws Exception;

  /** Writes a file, in the place of the old one, and the folders above it. */
  void write(String name, byte[] bytes) throws Exception;

  /** Puts another file in the place of a file, which stays as it is for those that have it open. */
  void replace(String name, byte[] bytes) throws Exception;

  /**
   * Prepares a change of a file after which a digest that the store remembers of it is that of
   * other bytes. Where changes show in an attribute of a file, this one goes past the file system,
   * as that of a failing disk. Call this before the store has looked at the file.
   *
   * @param bytes as many as the file has
   * @return makes the change
   */
  Action<Exception> unseenChange(String name, byte[] bytes) throws Exception;

  /** Makes a file look as if it had been there for long, if its changes show in its time. */
  void age(String name) throws Exception;

  /** Makes a file that is so large that it cannot be under way as a whole in any buffers. */
  void writeEndless(String name) throws Exception;

  /** Makes an empty folder. */
  void makeFolder(String name) throws Exception;

  /** Returns the content of a file. */
  byte[] read(String name) throws Exception;

  /** Returns the modification time of a file that a test wrote. */
  Instant lastModified(String name) throws Exception;

  /** Deletes a file. */
  void delete(String name) throws Exception;

  /** Returns all files and folders, sorted; folders end in {@code /}. */
  List<String> tree() throws Exception;

  /** Waits, within seconds, until the store has no file open. */
  void awaitNothingOpen() throws Exception;

  /** Ends the use of the files, and checks that uploads have left nothing. */
  @Override
  void close() throws Exception;
}
