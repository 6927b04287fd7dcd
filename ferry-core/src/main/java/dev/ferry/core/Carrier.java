package dev.ferry.core;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One way for files to travel to and from a server: a protocol, a client stack and a method of
 * treating buffers.
 *
 * <p>Calls block until the file has arrived whole and checked, or fail with a {@link
 * FerryException}; a target file is either complete or untouched. An interrupt of the calling
 * thread cancels the transfer on both ends. Thread-safe.
 */
public interface Carrier extends AutoCloseable {
  /** Longest time until a server takes a connection. */
  Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Copies a file of the server to a local one, which appears under its name when it is complete
   * and replaces what was there.
   */
  Transfer download(StorePath path, Path target, TransferOptions options) throws FerryException;

  /** Copies a local file to the server, where it appears under its name when it is complete. */
  Transfer upload(Path source, StorePath path, TransferOptions options) throws FerryException;

  /** The facts of a file or directory; see {@link FileStore#stat}. */
  FileFacts stat(StorePath path, boolean digest) throws FerryException;

  /**
   * Gives the entries of a directory as they arrive, in the order of {@link Listing}: memory is
   * bounded on both ends, because the server waits for whoever takes them. A list that fails in the
   * middle has given what arrived before.
   *
   * @param entries takes one entry at a time; false ends the list, and so does what it throws
   */
  void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException;

  /** All entries of a directory at once, for those that fit into memory. */
  default List<FileFacts> list(StorePath directory) throws FerryException {
    List<FileFacts> all = new ArrayList<>();
    list(directory, all::add);
    return all;
  }

  /**
   * Sets how long {@link #stat} and {@link #list} may take from now on, and how long they wait for
   * a server that says nothing: of the options their timeout and stall timeout are heeded. Unless
   * told otherwise they take any time, but for {@linkplain TransferOptions#DEFAULT a minute} of
   * silence.
   */
  void limitCalls(TransferOptions limits);

  /** Closes the connections; running transfers fail. Gives up waiting after a few seconds. */
  @Override
  void close();
}
