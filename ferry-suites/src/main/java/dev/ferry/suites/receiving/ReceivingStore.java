package dev.ferry.suites.receiving;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Receives files as the reference's receiver does: it counts their bytes, or computes a digest, and
 * does not write them to disk. Creating and deleting a small file in a directory costs many times
 * as much as sending it. Only the file {@link #KEPT} is kept. Thread-safe.
 */
public final class ReceivingStore implements FileStore {
  /** Name of the file that is kept. */
  public static final StorePath KEPT = new StorePath("kept");

  /** Stands for all files that were received and not kept; their bytes together are its size. */
  public static final StorePath RECEIVED = new StorePath("received");

  private final FileStore kept;
  private final byte @Nullable [] md5;
  private final long size;
  private final AtomicLong received = new AtomicLong();

  /**
   * Receives files of one content.
   *
   * @param folder the folder of the file that is kept
   * @param md5 the expected digest of the others; null to compute none
   * @param size their length in bytes
   */
  public ReceivingStore(Path folder, byte @Nullable [] md5, long size) throws FerryException {
    this.kept = LocalFileStore.open(folder);
    this.md5 = md5;
    this.size = size;
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    if (path.equals(RECEIVED)) {
      return new FileFacts(path.value(), received.get(), FileFacts.UNKNOWN_TIME, false, null);
    }
    return kept.stat(path, digest);
  }

  /** HTTP servers call this before each upload; it does not access the disk. */
  @Override
  public boolean exists(StorePath path) throws FerryException {
    return path.equals(RECEIVED) || (path.equals(KEPT) && kept.exists(path));
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    return kept.list(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return kept.open(path);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    return path.equals(KEPT)
        ? kept.create(path, options)
        : new ReceivingSink(path.value(), size, md5, received::addAndGet);
  }
}
