package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** From where to where files are copied, and how. Thread-safe. */
sealed interface SyncDirection {
  Side source();

  Side target();

  /** Begins to copy a file, which then has the modification time of its source. */
  void begin(String path, Entry file) throws FerryException;

  /** Copies a file in the same way, at once. */
  void copy(String path, Entry file) throws FerryException;

  /** Makes a link in the target, and the folders above it. */
  void link(String path, String to) throws FerryException;

  /** Whether the files of both sides have the same size and digest. */
  boolean equal(String path) throws FerryException;

  /** To the server. */
  record Up(LocalSide source, RemoteSide target, TreeTransfers transfers) implements SyncDirection {
    @Override
    public void begin(String path, Entry file) throws FerryException {
      transfers.beginPut(source.path(path), target.path(path), file.size());
    }

    @Override
    public void copy(String path, Entry file) throws FerryException {
      transfers.put(source.path(path), target.path(path));
    }

    @Override
    public void link(String path, String to) throws FerryException {
      transfers.putLink(source.path(path), target.path(path), to);
    }

    @Override
    public boolean equal(String path) throws FerryException {
      return transfers.equal(target.path(path), source.path(path));
    }
  }

  /**
   * From the server.
   *
   * @param dates whether a file gets the modification time of its source, and not that of its last
   *     write
   */
  record Down(RemoteSide source, LocalSide target, boolean dates, TreeTransfers transfers)
      implements SyncDirection {
    @Override
    public void begin(String path, Entry file) throws FerryException {
      transfers.beginGet(source.path(path), target.path(path), file.size(), modified(file));
    }

    @Override
    public void copy(String path, Entry file) throws FerryException {
      transfers.get(source.path(path), target.path(path), modified(file));
    }

    /** If the file has changed since it was listed, the next sync finds another time. */
    private @Nullable Instant modified(Entry file) {
      return dates && !file.modified().equals(FileFacts.UNKNOWN_TIME) ? file.modified() : null;
    }

    @Override
    public void link(String path, String to) throws FerryException {
      Path link = target.path(path);
      target.makeFolder(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
      StorePath stored = source.path(path);
      transfers.getLink(stored.value(), link, to);
    }

    @Override
    public boolean equal(String path) throws FerryException {
      return transfers.equal(source.path(path), target.path(path));
    }
  }
}
