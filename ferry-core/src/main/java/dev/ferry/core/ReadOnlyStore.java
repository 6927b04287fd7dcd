package dev.ferry.core;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a store and rejects all changes. Thread-safe.
 *
 * @param store the store to read
 */
public record ReadOnlyStore(FileStore store) implements FileStore {
  @Override
  public boolean isRemote() {
    return store.isRemote();
  }

  @Override
  public FileStore heldBy(String holder) {
    return new ReadOnlyStore(store.heldBy(holder));
  }

  @Override
  public boolean allows(StoreRule.Permission permission, StorePath path) {
    return (permission == StoreRule.Permission.READ || permission == StoreRule.Permission.LIST)
        && store.allows(permission, path);
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return store.stat(path, digest);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store.stat(path, algorithm);
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store.readNow(path, algorithm);
  }

  @Override
  public boolean exists(StorePath path) throws FerryException {
    return store.exists(path);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    return store.list(directory);
  }

  @Override
  public Listing listTree(StorePath directory) throws FerryException {
    return store.listTree(directory);
  }

  @Override
  public StorePath real(StorePath directory) throws FerryException {
    return store.real(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return store.open(path);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    throw refused(path);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    throw refused(path);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    throw refused(source);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public StagedTree stage(StorePath path, boolean replace) throws FerryException {
    throw refused(path);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    throw refused(path);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public void setLastModified(StorePath path, Instant time) throws FerryException {
    throw refused(path);
  }

  @Override
  public @Nullable Space space(StorePath directory) throws FerryException {
    return store.space(directory);
  }

  /**
   * Always fails.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED}, always
   */
  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    throw refused(path);
  }

  private static FerryException refused(StorePath path) throws FerryException {
    return new FerryException(
        ErrorKind.PERMISSION_DENIED,
        StorePath.parse(path.value()) + ": not changed, this server is read-only");
  }
}
