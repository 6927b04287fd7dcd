package dev.ferry.cli.client;

import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.tree.FolderRefused;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Action;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The folders of a server into which a tree is copied. What is put into a folder makes it, without
 * a round trip of its own. If that fails, this finds out whether the folder is the reason: a file
 * has its name, or the store cannot keep the name. Nothing else is sent there then. Thread-safe.
 */
final class TargetFolders {
  private final ServerCalls server;
  private final Map<StorePath, FolderRefused> refused = new ConcurrentHashMap<>();
  private final Set<StorePath> tried = new HashSet<>();

  TargetFolders(ServerCalls server) {
    this.server = server;
  }

  /**
   * Makes a folder, and those above it. That it exists is no failure.
   *
   * @param mode the permissions of those that are made; null if they are not known
   * @throws FolderRefused if it cannot be there
   */
  void make(StorePath folder, @Nullable Integer mode) throws FerryException {
    fill(folder, mode, () -> request(folder, mode));
  }

  /**
   * Runs what puts something into a folder.
   *
   * @param mode the permissions of the folder, and of those above it that are missing; null if they
   *     are not known
   * @throws FolderRefused if the folder cannot be there
   */
  void fill(StorePath folder, @Nullable Integer mode, Action<FerryException> put)
      throws FerryException {
    requireNotRefused(folder);
    try {
      put.run();
    } catch (FerryException e) {
      explain(e.kind(), folder, mode);
      throw e;
    } catch (Refusal e) {
      explain(e.kind(), folder, mode);
      throw e;
    }
  }

  /**
   * Checks, without a request, that a folder is not known to be refused.
   *
   * @throws FolderRefused if it is, or one above it
   */
  void requireNotRefused(StorePath folder) {
    StorePath above = folder;
    while (!refused.isEmpty() && !above.equals(StorePath.ROOT)) {
      FolderRefused failure = refused.get(above);
      if (failure != null) {
        throw failure;
      }
      above = above.parent();
    }
  }

  /** Throws another failure if the folder is the reason of one. */
  private synchronized void explain(ErrorKind kind, StorePath folder, @Nullable Integer mode) {
    if (kind != ErrorKind.ALREADY_EXISTS && kind != ErrorKind.INVALID_PATH) {
      return;
    }
    requireNotRefused(folder);
    if (folder.equals(StorePath.ROOT) || !tried.add(folder)) {
      return;
    }
    explain(kind, folder.parent(), mode);
    FolderRefused failure = tryOut(folder, mode);
    if (failure != null) {
      refused.put(folder, failure);
      throw failure;
    }
  }

  /** Returns null if a folder can be there, or if that cannot be said. */
  private @Nullable FolderRefused tryOut(StorePath folder, @Nullable Integer mode) {
    try {
      request(folder, mode);
      return null;
    } catch (FerryException e) {
      return switch (e.kind()) {
        case INVALID_PATH -> new FolderRefused(e.kind(), String.valueOf(e.getMessage()));
        case ALREADY_EXISTS -> isReadableFile(folder) ? FolderRefused.fileThere(folder) : null;
        default -> null;
      };
    }
  }

  private void request(StorePath folder, @Nullable Integer mode) throws FerryException {
    Change made = new Change.MakeDirectory(folder, true, mode);
    server.run(carrier -> carrier.change(made, CallLimits.DEFAULT));
  }

  private boolean isReadableFile(StorePath path) {
    try {
      FileFacts there = server.facts(path);
      return there != null && !there.directory();
    } catch (FerryException e) {
      return false;
    }
  }
}
