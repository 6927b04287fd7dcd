package dev.ferry.cli;

import dev.ferry.cli.access.ServedFolder;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.remote.RemoteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server serves.
 *
 * @param store a folder of this machine, or a store elsewhere
 * @param name for people
 * @param folder null if the store is elsewhere
 * @param sweeping starts to delete what killed processes and uploads left
 */
record ServedStore(FileStore store, String name, @Nullable ServedFolder folder, Starter sweeping)
    implements AutoCloseable {
  /** Starts something that runs until it is closed. */
  interface Starter {
    Sweeping start();
  }

  /**
   * Opens a folder.
   *
   * @param written whether the server takes uploads
   * @param outside files that must not be in a folder to which a link is switched later
   */
  static ServedStore folder(
      Path directory, SinkOptions options, boolean written, Map<String, Path> outside)
      throws IOException {
    LocalFileStore folder;
    try {
      folder = LocalFileStore.open(directory, options);
    } catch (FerryException e) {
      String remedy =
          e.kind() == ErrorKind.PERMISSION_DENIED
              ? "check its permissions"
              : "name a folder to serve";
      throw new FerryException(e.kind(), e.getMessage() + "; " + remedy, e);
    }
    if (written) {
      try {
        folder.requireWritable();
      } catch (FerryException e) {
        throw new FerryException(e.kind(), e.getMessage() + "; --read-only serves it anyway", e);
      }
    }
    ServedFolder served = new ServedFolder(folder.root());
    String name = folder.root().toString();
    if (!LinkedFolder.isSwitched(directory, folder.root())) {
      return new ServedStore(
          folder, name, served, () -> Sweeping.start(folder::sweep, folder::expireUploads));
    }
    LinkedFolder linked = new LinkedFolder(directory, folder, options, outside);
    return new ServedStore(
        linked,
        name,
        served,
        () -> Sweeping.start(() -> linked.folder().sweep(), () -> linked.folder().expireUploads()));
  }

  /** Has a store elsewhere, and closes it. */
  static ServedStore of(RemoteStore store, String address) {
    return new ServedStore(
        store, address, null, () -> Sweeping.start(() -> {}, store::expireUploads));
  }

  @Override
  public void close() {
    if (store instanceof RemoteStore remote) {
      remote.close();
    }
  }
}
