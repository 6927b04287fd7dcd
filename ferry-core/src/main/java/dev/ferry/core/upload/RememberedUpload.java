package dev.ferry.core.upload;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.internal.StateFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The id of an upload in a small file of this machine. The file has the id and the version of the
 * local file, and is locked while the upload runs: a second process that uploads the same file to
 * the same place at that time gets an id of its own.
 *
 * <p>Failures to read or write the file are ignored: the upload then begins with its first byte.
 * Files that were not used for a week are deleted, since no server keeps an upload that long.
 */
public final class RememberedUpload implements UploadIds, AutoCloseable {
  private final StateFile file;

  /**
   * Creates the memory of one upload. It touches no file before it is used.
   *
   * @param folder a folder for such files alone; it is made if it does not exist
   * @param key what identifies the upload: the server, the path there, the local path, and the
   *     conditions of the upload
   */
  public RememberedUpload(Path folder, List<String> key) {
    this.file = new StateFile(folder, key);
  }

  @Override
  public @Nullable UploadId remembered(FileFacts local) {
    List<String> lines = open(local) ? file.read() : List.of();
    try {
      return lines.size() == 2 && lines.get(1).equals(version(local))
          ? UploadId.parse(lines.get(0))
          : null;
    } catch (FerryException e) {
      // The file is damaged.
      return null;
    }
  }

  @Override
  public UploadId create(FileFacts local) {
    UploadId id = UploadId.random();
    if (open(local)) {
      boolean unused = file.write(List.of(id.toHex(), version(local)));
    }
    return id;
  }

  private static String version(FileFacts local) {
    return local.size() + " " + local.version();
  }

  /** Returns false if the upload is not remembered. */
  private boolean open(FileFacts local) {
    return local.size() >= StateFile.LEAST_SIZE && local.version() != null && file.open();
  }

  @Override
  public void forget() {
    file.delete();
  }

  /** Leaves the file to a later process. */
  @Override
  public void close() {
    file.close();
  }
}
