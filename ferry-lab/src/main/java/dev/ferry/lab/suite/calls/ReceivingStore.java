package dev.ferry.lab.suite.calls;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.LocalFileStore;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes files in as the reference's receiver does: bytes are counted, or go into a digest, and are
 * not kept. Of each file there is one of its name and length afterwards, without its content; only
 * what is called {@link #KEPT} is kept whole. Thread-safe.
 */
final class ReceivingStore implements FileStore {
  /** Name of the file that is kept. */
  static final String KEPT = "kept";

  private final Path folder;
  private final byte @Nullable [] md5;
  private final long size;
  private final LocalFileStore local;

  /**
   * Receives files of one content.
   *
   * @param md5 what their digest must be; null to take none
   * @param size their length in bytes
   */
  ReceivingStore(Path folder, byte @Nullable [] md5, long size) throws FerryException {
    this.folder = folder;
    this.md5 = md5;
    this.size = size;
    this.local = LocalFileStore.open(folder);
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return local.stat(path, digest);
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    return local.list(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return local.open(path);
  }

  @Override
  public FileSink create(StorePath path, boolean createOnly) throws FerryException {
    if (path.value().equals(KEPT)) {
      return local.create(path, createOnly);
    }
    return FileSink.create(
        folder.resolve(path.value()),
        SinkOptions.DEFAULT
            .withCreateOnly(createOnly)
            .withOpener(
                file ->
                    new ReceivingChannel(
                        FileChannel.open(
                            file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                        md5,
                        size)));
  }
}
