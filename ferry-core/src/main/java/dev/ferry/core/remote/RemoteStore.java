package dev.ferry.core.remote;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import java.io.Closeable;

/** A store on other machines, with connections to them. Thread-safe. */
public interface RemoteStore extends FileStore, Closeable {
  @Override
  default boolean isRemote() {
    return true;
  }

  /**
   * Deletes uploads, of all servers, that were not continued in time. The beginning of an upload
   * does so now and then, too, but there may be none for long.
   */
  void expireUploads() throws FerryException;

  /** Waits some seconds for running requests, then closes the connections. */
  @Override
  void close();
}
