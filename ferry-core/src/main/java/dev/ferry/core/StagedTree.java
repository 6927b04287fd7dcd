package dev.ferry.core;

/**
 * A file or directory that is made where no other call sees it, and gets its name when it is
 * complete ({@link FileStore#stage}). Closed without {@link #publish}, it deletes what was made in
 * it, and nothing else. One thread at a time.
 */
public interface StagedTree extends AutoCloseable {
  /** Returns the store in which it is made, under the path that it is to get. */
  FileStore store();

  /**
   * Gives it its name. What has the name is replaced with all that is in it, if the tree may
   * replace something; other calls find the one or the other at any time.
   *
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} if something has the name and may
   *     not be replaced; what is there stays
   */
  void publish() throws FerryException;

  /**
   * Moves a file or directory of the store to the name, instead of what was made. What has the name
   * is replaced as by {@link #publish()}.
   *
   * @throws FerryException also as {@link FileStore#move}; the source stays
   */
  void publish(StorePath source) throws FerryException;

  /**
   * Deletes what was replaced, or what was made and not published.
   *
   * @throws FerryException if something of it cannot be deleted; the message says where it is
   */
  @Override
  void close() throws FerryException;
}
