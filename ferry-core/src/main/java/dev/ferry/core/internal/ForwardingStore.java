package dev.ferry.core.internal;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A store that does nothing but call another one. Subclasses override what they change. The methods
 * that {@link FileStore} builds on others, {@link FileStore#exists}, {@link FileStore#readNow} and
 * {@link FileStore#stat(StorePath, dev.ferry.core.Digest.Algorithm)}, are built on those of the
 * subclass, and {@link FileStore#heldBy} returns the subclass: one that a server is given directly
 * passes it on.
 */
public class ForwardingStore implements FileStore {
  private final FileStore store;

  /**
   * @param store the store to call
   */
  public ForwardingStore(FileStore store) {
    this.store = store;
  }

  /** The store to call. */
  protected FileStore store() {
    return store;
  }

  @Override
  public boolean isRemote() {
    return store().isRemote();
  }

  @Override
  public boolean allows(StoreRule.Permission permission, StorePath path) {
    return store().allows(permission, path);
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
  public StorePath real(StorePath directory) throws FerryException {
    return store().real(directory);
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
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    store().makeDirectory(path, parents, mode);
  }

  @Override
  public void setLastModified(StorePath path, Instant time) throws FerryException {
    store().setLastModified(path, time);
  }

  @Override
  public @Nullable Space space(StorePath directory) throws FerryException {
    return store().space(directory);
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    store().makeLink(path, target, replace);
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
