package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** From where to where files are copied, and how. Thread-safe. */
sealed interface SyncDirection {
  Side source();

  Side target();

  /**
   * Begins to copy a file.
   *
   * @param folderMode of the folder that has it, in case this makes it; null if it is not known
   */
  void begin(String path, Entry file, @Nullable Integer folderMode) throws FerryException;

  /**
   * Copies a file in the same way, at once.
   *
   * @param mode its permissions; null for those of the file
   */
  void copy(String path, Entry file, @Nullable Integer mode) throws FerryException;

  /** Makes a link in the target, and the folders above it. */
  void link(String path, String to) throws FerryException;

  /** Whether the files of both sides have the same size and digest. */
  boolean equal(String path) throws FerryException;

  /** To the server. */
  record Up(LocalSide source, RemoteSide target, TreeTransfers transfers) implements SyncDirection {
    @Override
    public void begin(String path, Entry file, @Nullable Integer folderMode) throws FerryException {
      transfers.beginPut(source.path(path), target.path(path), file.size(), folderMode);
    }

    @Override
    public void copy(String path, Entry file, @Nullable Integer mode) throws FerryException {
      transfers.put(source.path(path), target.path(path), mode);
    }

    @Override
    public void link(String path, String to) throws FerryException {
      transfers.putLink(source.name(path), target.path(path), to);
    }

    @Override
    public boolean equal(String path) throws FerryException {
      return transfers.equal(target.path(path), source.path(path));
    }
  }

  /** From the server. */
  record Down(RemoteSide source, LocalSide target, TreeTransfers transfers)
      implements SyncDirection {
    @Override
    public void begin(String path, Entry file, @Nullable Integer folderMode) throws FerryException {
      transfers.beginGet(source.path(path), target.path(path), file.size());
    }

    @Override
    public void copy(String path, Entry file, @Nullable Integer mode) throws FerryException {
      transfers.get(source.path(path), target.path(path), mode);
    }

    @Override
    public void link(String path, String to) throws FerryException {
      Path link = target.path(path);
      target.makeFolder(Side.parent(path), null);
      StorePath stored = source.path(path);
      transfers.getLink(stored.value(), link, to);
    }

    @Override
    public boolean equal(String path) throws FerryException {
      return transfers.equal(source.path(path), target.path(path));
    }
  }

  /** From one server to another; compares nothing. */
  record Across(RemoteSide source, RemoteSide target, TreeTransfers transfers, TreeCopy.Each copies)
      implements SyncDirection {
    @Override
    public void begin(String path, Entry file, @Nullable Integer folderMode) throws FerryException {
      transfers.begin(
          target.path(path),
          file.size(),
          folderMode,
          () -> copies.copy(source.path(path), target.path(path), folderMode));
    }

    @Override
    public void copy(String path, Entry file, @Nullable Integer mode) throws FerryException {
      copies.copy(source.path(path), target.path(path), null);
    }

    @Override
    public void link(String path, String to) throws FerryException {
      transfers.putLink(source.name(path), target.path(path), to);
    }

    @Override
    public boolean equal(String path) {
      return false;
    }
  }
}
