package dev.ferry.core;

import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import org.jspecify.annotations.Nullable;

/** A store that does nothing but call another one. Tests override what they change. */
public class ForwardingStore implements FileStore {
  private final FileStore store;

  public ForwardingStore(FileStore store) {
    this.store = store;
  }

  /** The store to call. */
  FileStore store() {
    return store;
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return store().stat(path, digest);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    return store().list(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return store().open(path);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    return store().create(path, options);
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    store().delete(path, version);
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    store().move(source, target, replace);
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    store().makeDirectory(path, parents);
  }

  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    return store().upload(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    store().cancelUpload(id);
  }
}
