package dev.ferry.core.local;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.Sha256;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PathParts;
import dev.ferry.core.internal.PathParts.Wanted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store in a local folder.
 *
 * <p>Names are {@link StorePath}s, checked anew by every call, whoever made them. A symbolic link
 * is followed only while it stays below the root; links are looked at once per call, so whoever may
 * exchange directories below the root while a call is under way must be trusted.
 *
 * <p>Uploads replace atomically. What a killed process left half-received stays until {@link
 * #sweep}. Thread-safe.
 */
public final class LocalFileStore implements FileStore {
  /** So many that a slow file system holds up few names but the one it is slow with. */
  private static final int LOCKS = 256;

  /** Memory for the names of all open listings; a quarter of the heap where that is less. */
  private static final int LISTINGS_KIB =
      (int) Math.min(256L << 10, Runtime.getRuntime().maxMemory() / 4 / 1024);

  /** How many of the longest listings may be open at once; shorter ones take what they need. */
  private static final int LONG_LISTINGS = 8;

  private final Path root;
  private final SinkOptions sinkOptions;
  private final ReceiveBudget budget;
  private final DigestCache digests = new DigestCache();

  /** Digests that are being computed, by file and version. */
  private final Map<List<Object>, CompletableFuture<Sha256>> computing = new ConcurrentHashMap<>();

  /**
   * One for each name, shared with few others: locked for writing while a file gets its name and
   * its digest is remembered, and for reading while both are looked up. A file system may give a
   * new file the number of one that is gone, in the same tick of its clock: without the lock the
   * digest of either could be told of the other. What other processes do meanwhile goes unseen.
   */
  private final ReadWriteLock[] locks =
      Stream.generate(ReentrantReadWriteLock::new).limit(LOCKS).toArray(ReadWriteLock[]::new);

  private final Semaphore listingRoom = new Semaphore(LISTINGS_KIB);

  private LocalFileStore(Path root, SinkOptions sinkOptions, Disk disk) {
    this.root = root;
    this.sinkOptions = sinkOptions;
    this.budget = new ReceiveBudget(sinkOptions.limits(), disk);
  }

  /** Opens a store with the limits of {@link ReceiveLimits#STORE}. */
  public static LocalFileStore open(Path root) throws FerryException {
    return open(root, SinkOptions.DEFAULT.withLimits(ReceiveLimits.STORE));
  }

  /**
   * Opens a store.
   *
   * @param sinkOptions how uploads are received; {@code create} is each upload's own
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless the root is a directory, or with
   *     {@link ErrorKind#PERMISSION_DENIED} where it cannot be read
   */
  public static LocalFileStore open(Path root, SinkOptions sinkOptions) throws FerryException {
    return open(root, sinkOptions, Disk.LOCAL);
  }

  static LocalFileStore open(Path root, SinkOptions sinkOptions, Disk disk) throws FerryException {
    try {
      Path real = root.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new FerryException(ErrorKind.NOT_FOUND, root + ": is a file, not a folder");
      }
      if (!Files.isReadable(real) || !Files.isExecutable(real)) {
        throw new FerryException(ErrorKind.PERMISSION_DENIED, root + ": cannot be read");
      }
      return new LocalFileStore(real, sinkOptions, disk);
    } catch (IOException e) {
      throw PathParts.explain(e, Wanted.FOLDER, root.toAbsolutePath(), root.toString());
    }
  }

  /** The folder, with all symbolic links resolved. */
  public Path root() {
    return root;
  }

  /**
   * Finds out whether uploads can be stored, by making a file in the root and deleting it.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED} or a failure of the disk
   */
  public void requireWritable() throws FerryException {
    Path file = TemporaryNames.fresh(root);
    try {
      sinkOptions.opener().open(file).close();
      Files.delete(file);
    } catch (IOException e) {
      FerryException failure = FerryException.of(e, root.toString());
      throw failure.kind() == ErrorKind.OUT_OF_SPACE
          ? failure
          : new FerryException(
              ErrorKind.PERMISSION_DENIED, root + ": cannot be written to", failure);
    }
  }

  /**
   * Deletes what killed processes left half-received anywhere below the root; what living ones are
   * writing stays. Reads every directory there, with a quarter of one core at most, which may take
   * minutes: to be called beside serving. What cannot be read or deleted stays. Ends early where
   * its thread is interrupted.
   */
  public void sweep() {
    LeftoverSweep.below(root);
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    Path file = existing(path, Wanted.ANYTHING);
    try {
      FileFacts facts = Objects.requireNonNull(knownFacts(file, path));
      if (facts.directory() || facts.sha256() != null || !digest) {
        return facts;
      }
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
    // Facts and digest of one and the same open file, whatever its name stands for meanwhile.
    try (FileSource source = opened(file, path)) {
      if (source.facts().sha256() != null) {
        return source.facts();
      }
      return source.facts().withSha256(computed(file, source));
    }
  }

  /** The digest of an open file; calls that ask for the same one meanwhile wait for the first. */
  private Sha256 computed(Path file, FileSource source) throws FerryException {
    List<Object> version = List.of(file, DigestCache.Version.of(source.attributes()));
    CompletableFuture<Sha256> result = new CompletableFuture<>();
    CompletableFuture<Sha256> running = computing.putIfAbsent(version, result);
    if (running != null) {
      return await(running, source.facts().name());
    }
    try {
      Sha256 digest = source.sha256();
      source.verifyUnchanged();
      result.complete(digest);
      return digest;
    } catch (FerryException | RuntimeException e) {
      result.completeExceptionally(e);
      throw e;
    } finally {
      computing.remove(version);
    }
  }

  private static Sha256 await(CompletableFuture<Sha256> running, String name)
      throws FerryException {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FerryException cause
          ? new FerryException(cause.kind(), String.valueOf(cause.getMessage()), cause)
          : new FerryException(ErrorKind.INTERNAL, name + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FerryException(ErrorKind.CANCELLED, name + ": cancelled", e);
    }
  }

  /** The facts as they can be told without reading the file; null for a link not followed. */
  private @Nullable FileFacts knownFacts(Path file, StorePath path, LinkOption... options)
      throws IOException {
    Lock lock = lock(file).readLock();
    lock.lock();
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, options);
      if (attributes.isSymbolicLink()) {
        return null;
      }
      return FileFacts.of(path.value(), attributes)
          .withSha256(attributes.isDirectory() ? null : digests.get(file, attributes));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    Path folder = existing(directory, Wanted.FOLDER);
    return DirectoryListing.open(
        folder,
        directory,
        name -> entryFacts(folder, directory, name),
        listingRoom,
        LISTINGS_KIB * 1024L / LONG_LISTINGS);
  }

  private @Nullable FileFacts entryFacts(Path folder, StorePath directory, String name) {
    try {
      StorePath path = StorePath.parse(directory.child(name).value());
      // Nothing but a link leads elsewhere: to resolve every name would cost far more than this.
      FileFacts facts = knownFacts(folder.resolve(name), path, LinkOption.NOFOLLOW_LINKS);
      return facts == null ? knownFacts(existing(path, Wanted.ANYTHING), path) : facts;
    } catch (IOException | InvalidPathException e) {
      // No entry of this store: a temporary file, a name that no StorePath may have, a link that
      // leads out or nowhere, or deleted since the directory was read.
      return null;
    }
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return opened(existing(path, Wanted.ANYTHING), path);
  }

  private FileSource opened(Path file, StorePath path) throws FerryException {
    Lock lock = lock(file).readLock();
    lock.lock();
    try {
      FileSource source = FileSource.open(file, path.value());
      BasicFileAttributes attributes = source.attributes();
      // While it is open no other file has its number, so what is kept is never told of one that
      // took its name meanwhile.
      return source.withDigests(
          digests.get(file, attributes), digest -> digests.put(file, attributes, digest));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    StorePath.parse(path.value());
    // A link as the target itself would be replaced, not followed: that stays inside.
    String name = path.value();
    return LocalFileSink.create(
            withParentsResolved(path), name, name, sinkOptions.withCreate(options), budget)
        .namedBy(this::name);
  }

  private ReadWriteLock lock(Path file) {
    return locks[Math.floorMod(file.hashCode(), LOCKS)];
  }

  private void name(
      Path file,
      BasicFileAttributes attributes,
      @Nullable Sha256 digest,
      LocalFileSink.Rename rename)
      throws IOException {
    Lock lock = lock(file).writeLock();
    lock.lock();
    try {
      rename.run();
      digests.put(file, attributes, digest);
    } finally {
      lock.unlock();
    }
  }

  /** Where a path is on the disk, unchecked but for its text: whoever made it, it has no "..". */
  private Path located(StorePath path) throws FerryException {
    try {
      return root.resolve(StorePath.parseDirectory(path.value()).value());
    } catch (InvalidPathException e) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '" + path + "': the server's locale cannot express it; try LC_ALL=C.UTF-8",
          e);
    }
  }

  private Path existing(StorePath path, Wanted wanted) throws FerryException {
    Path file = located(path);
    try {
      Path real = file.toRealPath();
      requireInside(real, path);
      return real;
    } catch (FerryException e) {
      throw e;
    } catch (IOException e) {
      throw unreachable(e, wanted, file, path);
    }
  }

  private FerryException unreachable(IOException e, Wanted wanted, Path file, StorePath path)
      throws FerryException {
    PathParts.Obstacle obstacle = PathParts.obstacle(file, wanted);
    if (obstacle == null) {
      return FerryException.of(e, path.value());
    }
    Path above = obstacle.part().getParent();
    if (above == null || !above.startsWith(root)) {
      return folderRemoved(e);
    }
    try {
      // What is missing outside is nobody's business here.
      requireInside(above.toRealPath(), path);
    } catch (IOException gone) {
      return FerryException.of(gone, path.value());
    }
    return PathParts.explain(e, wanted, file, path.value(), obstacle);
  }

  private static FerryException folderRemoved(IOException e) {
    return new FerryException(ErrorKind.NOT_FOUND, "the store's folder was removed", e);
  }

  /** The place of a file that may not exist yet, with all links resolved above what is missing. */
  private Path withParentsResolved(StorePath path) throws FerryException {
    Path target = located(path);
    while (true) {
      Path existing = deepestExistingParent(target);
      try {
        Path real = existing.toRealPath();
        requireInside(real, path);
        return real.resolve(existing.relativize(target));
      } catch (NoSuchFileException e) {
        if (Files.isSymbolicLink(existing)) {
          throw new FerryException(
              ErrorKind.INVALID_PATH,
              "invalid path '" + path + "': a symbolic link leads nowhere",
              e);
        }
        if (existing.equals(root)) {
          throw folderRemoved(e);
        }
        // An upload that was given up took the directories it had made with it: look higher.
      } catch (IOException e) {
        throw FerryException.of(e, path.value());
      }
    }
  }

  private Path deepestExistingParent(Path target) {
    Path p = target.getParent();
    while (p != null && !p.equals(root) && !Files.exists(p, LinkOption.NOFOLLOW_LINKS)) {
      p = p.getParent();
    }
    return p == null ? root : p;
  }

  private void requireInside(Path real, StorePath path) throws FerryException {
    if (!real.startsWith(root)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '" + path + "': a symbolic link leads out of the store");
    }
  }
}
