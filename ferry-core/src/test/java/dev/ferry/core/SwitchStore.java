package dev.ferry.core;

import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import org.jspecify.annotations.Nullable;

/** A store that a test can exchange under a running server. */
public final class SwitchStore implements FileStore {
  private volatile FileStore current;

  public SwitchStore(FileStore first) {
    current = first;
  }

  /** Switches to this store. */
  public void use(FileStore store) {
    current = store;
  }

  /** A step of a test between the store and its user. */
  @FunctionalInterface
  public interface Step {
    FileSource apply(FileSource opened) throws Exception;
  }

  /** The same store, whose files pass through a step once they are open. */
  public static FileStore afterOpen(FileStore store, Step step) {
    return new ForwardingStore(store) {
      @Override
      public FileSource open(StorePath path) throws FerryException {
        FileSource source = super.open(path);
        try {
          return step.apply(source);
        } catch (Exception e) {
          source.close();
          throw new FerryException(ErrorKind.INTERNAL, path + ": the test's step failed", e);
        }
      }
    };
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return current.stat(path, digest);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    return current.list(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return current.open(path);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    return current.create(path, options);
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    current.delete(path, version);
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    current.move(source, target, replace);
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    current.makeDirectory(path, parents);
  }

  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    return current.upload(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    current.cancelUpload(id);
  }
}
