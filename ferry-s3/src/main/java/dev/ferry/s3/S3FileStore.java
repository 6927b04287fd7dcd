package dev.ferry.s3;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Listing;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.internal.PathParts;
import dev.ferry.core.internal.RecentMap;
import dev.ferry.core.remote.RemoteStore;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A store in a bucket of an object store that speaks S3. Several servers may serve the same one:
 * they keep nothing that the others need, and an upload that began at one can go on at another.
 *
 * <p>A file is an object whose key is the prefix and the path. A folder is what other tools take
 * for one: a common prefix of keys, or an empty object whose key ends with a slash. The version of
 * a file is its entity tag.
 *
 * <p>Objects that other tools have written are files too. What differs from a local store: a move
 * is a copy followed by a deletion, and the digests of a file are known only if Ferry has stored
 * it, with one request or with its digest announced. Thread-safe.
 */
public final class S3FileStore implements RemoteStore {
  private static final Logger LOG = LoggerFactory.getLogger(S3FileStore.class);

  private static final int STOP_SECONDS = 30;

  private static final int MOST_DISTRUSTED = 10_000;

  private final S3Client client;
  private final Bucket bucket;
  private final Slabs slabs;
  private final ExecutorService requests;
  private final NewName names;
  private final Uploads uploads;
  private final ObjectCopies copies;
  private final NameMemory listings;

  /** The versions of files whose metadata has the digest of other bytes. */
  private final Map<StorePath, String> distrusted;

  /** Whose shares of the memory of transfers and listings the calls of this object take. */
  private final String holder;

  private S3FileStore(S3Client client, Bucket bucket, long memory, ReceiveLimits limits) {
    this.client = client;
    this.bucket = bucket;
    this.slabs = new Slabs(memory);
    this.requests = Executors.newCachedThreadPool(new DaemonThreads("ferry-s3"));
    this.names = new NewName(bucket);
    Slabs.Share share = slabs.share(CallerShares.NOBODY);
    this.uploads = new Uploads(bucket, names, share, requests, limits);
    this.copies = new ObjectCopies(bucket, names, ObjectCopies.MOST_AT_ONCE);
    this.listings = NameMemory.ofTheHeap();
    this.distrusted = Collections.synchronizedMap(new RecentMap<>(MOST_DISTRUSTED));
    this.holder = CallerShares.NOBODY;
  }

  private S3FileStore(S3FileStore all, String holder) {
    this.client = all.client;
    this.bucket = all.bucket;
    this.slabs = all.slabs;
    this.requests = all.requests;
    this.names = all.names;
    this.uploads = all.uploads.with(slabs.share(holder));
    this.copies = all.copies;
    this.listings = all.listings;
    this.distrusted = all.distrusted;
    this.holder = holder;
  }

  /** Returns this store with the share of a caller. {@link #close} is for the store itself. */
  @Override
  public S3FileStore heldBy(String holder) {
    return new S3FileStore(this, holder);
  }

  /**
   * Opens a store.
   *
   * @param client {@link #close} closes it
   * @param settings the bucket and the prefix
   * @param memory bytes of direct memory for all transfers together, of which a caller has half
   * @param limits for uploads; the limits of the disk do not apply
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the bucket does not exist, {@link
   *     ErrorKind#PERMISSION_DENIED} or {@link ErrorKind#UNAVAILABLE}
   */
  public static S3FileStore open(
      S3Client client, S3Settings settings, long memory, ReceiveLimits limits)
      throws FerryException {
    Bucket bucket = new Bucket(client, settings.bucket(), settings.prefix());
    boolean unused = bucket.any(bucket.prefix(), settings.address());
    return new S3FileStore(client, bucket, memory, limits);
  }

  /** Returns the direct memory in bytes that the transfers use now. */
  long usedMemory() {
    return slabs.used();
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return digest ? stat(path, Digest.Algorithm.SHA256) : facts(path);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    FileFacts facts = facts(path);
    if (facts.directory() || facts.digest(algorithm) != null) {
      return facts;
    }
    try (FileSource source = source(facts)) {
      return facts.withDigest(source.digest(algorithm));
    }
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    try (FileSource source = open(path)) {
      FileFacts facts = source.facts();
      Digest stored = facts.digest(algorithm);
      Digest read = source.digest(algorithm);
      if (stored != null && !stored.equals(read)) {
        LOG.warn(
            "{}: the metadata of this object has the digest of other bytes: another program has"
                + " stored them with the metadata of a former file",
            path);
        distrusted.put(path, String.valueOf(facts.version()));
      }
      return facts.withoutDigests().withDigest(read);
    }
  }

  private FileFacts facts(StorePath path) throws FerryException {
    FileFacts file = path.equals(StorePath.ROOT) ? null : file(path);
    return file == null ? folder(path) : file;
  }

  /** Returns the facts of a file; null if there is none. */
  private @Nullable FileFacts file(StorePath path) throws FerryException {
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    if (head == null) {
      return null;
    }
    FileFacts facts = ObjectFacts.of(path.value(), head);
    boolean distrusts = String.valueOf(facts.version()).equals(distrusted.get(path));
    return distrusts ? facts.withoutDigests() : facts;
  }

  private FileFacts folder(StorePath path) throws FerryException {
    String key = bucket.folderKey(path);
    ListObjectsV2Response first = bucket.list(key, false, 1, null, path.value());
    if (first.contents().isEmpty() && !path.equals(StorePath.ROOT)) {
      throw missing(path, PathParts.Wanted.ANYTHING);
    }
    Instant modified = FileFacts.UNKNOWN_TIME;
    for (S3Object object : first.contents()) {
      modified = object.key().equals(key) ? object.lastModified() : modified;
    }
    return ObjectFacts.folder(path.value(), modified);
  }

  private boolean isFolder(StorePath path) throws FerryException {
    return path.equals(StorePath.ROOT) || bucket.any(bucket.folderKey(path), path.value());
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    Listing listing = ObjectListing.open(bucket, directory, listings, holder);
    if (listing == null) {
      throw missing(directory, PathParts.Wanted.FOLDER);
    }
    return listing;
  }

  /** By one list of all keys below the folder, unless there are too many to sort. */
  @Override
  public Listing listTree(StorePath directory) throws FerryException {
    Listing listing = ObjectListing.openTree(bucket, directory, listings, holder);
    return listing == null ? RemoteStore.super.listTree(directory) : listing;
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    FileFacts facts = file(path);
    if (facts == null) {
      if (isFolder(path)) {
        throw new FerryException(ErrorKind.INVALID_PATH, path + ": is a folder, not a file");
      }
      throw missing(path, PathParts.Wanted.ANYTHING);
    }
    return source(facts);
  }

  private ObjectSource source(FileFacts facts) throws FerryException {
    String key = bucket.key(new StorePath(facts.name()));
    return new ObjectSource(bucket, key, facts, slabs.share(holder), requests);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    requireFree(path, options);
    return uploads.create(path, options.withMode(mode(path, options)));
  }

  /**
   * Returns the permissions of a new file: those of the one that it replaces, if they are known.
   */
  private @Nullable Integer mode(StorePath path, CreateOptions options) throws FerryException {
    UploadPart part = options.upload();
    boolean begins = part == null || part.offset() == 0;
    FileFacts replaced = begins && !options.createOnly() ? file(path) : null;
    Integer kept = replaced == null ? null : replaced.mode();
    return kept == null ? options.mode() : (Integer) Modes.replacing(kept, options.mode());
  }

  private void requireFree(StorePath path, CreateOptions options) throws FerryException {
    if (options.createOnly()) {
      UploadPart upload = options.upload();
      names.require(path, options, upload == null ? UploadId.random() : upload.id());
    }
    if (isFolder(path)) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, path + ": is a folder");
    }
    requireParent(path, options.makeParents());
  }

  /**
   * Checks that a path is in a folder.
   *
   * @param missing whether the folder may be missing, as long as no file has its name
   */
  private void requireParent(StorePath path, boolean missing) throws FerryException {
    requireKey(path);
    if (isFolder(path.parent())) {
      return;
    }
    StorePath obstacle = obstacle(path);
    if (obstacle == null) {
      // Another upload has made the folder meanwhile.
      return;
    }
    if (file(obstacle) != null) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, obstacle + ": is a file, not a folder");
    }
    if (!missing) {
      throw new FerryException(ErrorKind.NOT_FOUND, obstacle + ": no such folder");
    }
  }

  private void requireKey(StorePath path) throws FerryException {
    path.requireDepth();
    int bytes = bucket.key(path).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > Bucket.MOST_KEY_BYTES) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "%s: its key has %,d bytes, S3 takes %,d at most; choose a shorter name"
              .formatted(path, bytes, Bucket.MOST_KEY_BYTES));
    }
  }

  /** Returns the first part above a path that is no folder; null if there is none. */
  private @Nullable StorePath obstacle(StorePath path) throws FerryException {
    String text = path.value();
    for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', slash + 1)) {
      StorePath above = new StorePath(text.substring(0, slash));
      if (!isFolder(above)) {
        return above;
      }
    }
    return null;
  }

  /** Returns the failure of a path that leads nowhere; it names the part that is missing. */
  private FerryException missing(StorePath path, PathParts.Wanted wanted) throws FerryException {
    StorePath obstacle = obstacle(path);
    boolean folder = wanted == PathParts.Wanted.FOLDER || obstacle != null;
    StorePath part = obstacle == null ? path : obstacle;
    if (folder && file(part) != null) {
      return new FerryException(ErrorKind.NOT_FOUND, part + ": is a file, not a folder");
    }
    return new FerryException(
        ErrorKind.NOT_FOUND, part + ": no such " + (folder ? "folder" : "file"));
  }

  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    return uploads.status(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    uploads.cancel(id);
  }

  @Override
  public void expireUploads() throws FerryException {
    uploads.expire();
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    FileFacts file = file(path);
    if (file == null) {
      deleteFolder(path, version);
      return;
    }
    requireVersion(file, version);
    bucket.delete(bucket.key(path), path.value());
    keep(path.parent());
  }

  private static void requireVersion(FileFacts facts, @Nullable String version)
      throws FerryException {
    if (version != null && !version.equals(facts.version())) {
      throw new FerryException(
          ErrorKind.VERSION_MISMATCH, facts.name() + ": does not have the requested version");
    }
  }

  private void deleteFolder(StorePath path, @Nullable String version) throws FerryException {
    String key = bucket.folderKey(path);
    List<S3Object> first = bucket.list(key, false, 2, null, path.value()).contents();
    if (first.isEmpty()) {
      throw missing(path, PathParts.Wanted.ANYTHING);
    }
    requireVersion(ObjectFacts.folder(path.value(), FileFacts.UNKNOWN_TIME), version);
    if (first.size() > 1 || !first.get(0).key().equals(key)) {
      throw new FerryException(ErrorKind.NOT_EMPTY, path + ": the folder is not empty");
    }
    bucket.delete(key, path.value());
    keep(path.parent());
  }

  /** Makes an object of a folder that would vanish with its last file. */
  private void keep(StorePath folder) throws FerryException {
    try {
      if (!isFolder(folder)) {
        bucket.put(bucket.folderKey(folder), new byte[0], folder.value());
      }
    } catch (FerryException e) {
      throw begun(e);
    }
  }

  /**
   * The failure of a later step of a change. {@link ErrorKind#OVERLOADED} would say that nothing
   * was done, and have clients repeat the change.
   */
  private static FerryException begun(FerryException e) {
    return e.kind() == ErrorKind.OVERLOADED
        ? new FerryException(ErrorKind.UNAVAILABLE, String.valueOf(e.getMessage()), e)
        : e;
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    FileFacts file = file(source);
    if (file == null && !isFolder(source)) {
      throw missing(source, PathParts.Wanted.ANYTHING);
    }
    if (target.equals(source)) {
      throw NewName.exists(target);
    }
    if (file == null && target.isWithin(source)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, source + ": a folder cannot be moved into itself");
    }
    if (isFolder(target)) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, target + ": is a folder");
    }
    requireParent(target, false);
    if (file == null) {
      if (file(target) != null) {
        throw NewName.exists(target);
      }
      copies.moveFolder(source, target);
    } else {
      copies.moveFile(file, source, target, replace);
    }
    keep(source.parent());
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    if (file(path) != null) {
      throw NewName.exists(path);
    }
    if (isFolder(path)) {
      if (parents) {
        return;
      }
      throw NewName.exists(path);
    }
    requireParent(path, parents);
    bucket.put(bucket.folderKey(path), new byte[0], path.value());
  }

  @Override
  public void setLastModified(StorePath path, Instant time) throws FerryException {
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    if (head != null) {
      copies.setLastModified(path, head, time);
    } else if (isFolder(path)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, path + ": a folder of a bucket keeps no time");
    } else {
      throw missing(path, PathParts.Wanted.ANYTHING);
    }
  }

  /** Waits up to 30 seconds for running requests, then closes the client. */
  @Override
  public void close() {
    requests.shutdown();
    try {
      if (!requests.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        requests.shutdownNow();
      }
    } catch (InterruptedException e) {
      requests.shutdownNow();
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
