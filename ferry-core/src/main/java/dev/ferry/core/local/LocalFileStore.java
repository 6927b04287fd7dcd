package dev.ferry.core.local;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.LocalFileSource;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StagedTree;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.FileTimes;
import dev.ferry.core.internal.LocalAttributes;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.internal.PathParts;
import dev.ferry.core.internal.PathParts.Wanted;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.local.PathsBelowRoot.Use;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A store in a local folder.
 *
 * <p>Every call checks its {@link StorePath} again. Symbolic links are followed only if they stay
 * below the root, whoever made or moved them, and whatever other calls move meanwhile. Other
 * processes that can replace directories below the root during a call, also other servers of the
 * folder, must be trusted.
 *
 * <p>Uploads replace files atomically. Temporary files of killed processes stay until {@link
 * #sweep}. Thread-safe.
 */
public final class LocalFileStore implements FileStore {
  /**
   * Number of maximum-size listings that may be open at once. Smaller listings use only the memory
   * they need.
   */
  private static final int LONG_LISTINGS = 8;

  private static final System.Logger LOG = System.getLogger(LocalFileStore.class.getName());

  private final PathsBelowRoot paths;
  private final SinkOptions sinkOptions;
  private final ReceiveBudget budget;
  private final DigestCache digests;
  private final PartialUploads uploads;

  private final NameLocks locks;
  private final NameMemory listings;

  /** Whose share of what all callers have in common the calls of this object count for. */
  private final String holder;

  private LocalFileStore(Path root, SinkOptions sinkOptions, ReceiveBudget budget) {
    this.paths = new PathsBelowRoot(root);
    this.sinkOptions = sinkOptions;
    this.budget = budget;
    this.digests = new DigestCache();
    this.locks = new NameLocks();
    this.listings = NameMemory.ofTheHeap();
    this.holder = CallerShares.NOBODY;
    this.uploads = new PartialUploads(paths, sinkOptions, budget, this::name);
  }

  private LocalFileStore(LocalFileStore all, String holder) {
    this.paths = all.paths;
    this.sinkOptions = all.sinkOptions;
    this.budget = all.budget;
    this.digests = all.digests;
    this.uploads = all.uploads;
    this.locks = all.locks;
    this.listings = all.listings;
    this.holder = holder;
  }

  @Override
  public LocalFileStore heldBy(String holder) {
    return new LocalFileStore(this, holder);
  }

  /** Opens a store with the limits of {@link ReceiveLimits#STORE}. */
  public static LocalFileStore open(Path root) throws FerryException {
    return open(root, SinkOptions.DEFAULT.withLimits(ReceiveLimits.STORE));
  }

  /**
   * Opens a store.
   *
   * @param sinkOptions how uploads are received; each upload has its own {@code create} options
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless the root is a directory, or with
   *     {@link ErrorKind#PERMISSION_DENIED} if it cannot be read
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
      return new LocalFileStore(real, sinkOptions, new ReceiveBudget(sinkOptions.limits(), disk));
    } catch (IOException e) {
      throw PathParts.explain(e, Wanted.FOLDER, root.toAbsolutePath(), root.toString());
    }
  }

  /** The folder, with all symbolic links resolved. */
  public Path root() {
    return paths.root();
  }

  /**
   * Checks that uploads can be stored: creates a file in the root and deletes it.
   *
   * @throws FerryException with {@link ErrorKind#PERMISSION_DENIED} or {@link
   *     ErrorKind#OUT_OF_SPACE}
   */
  public void requireWritable() throws FerryException {
    Path root = root();
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
   * Deletes temporary files of killed processes anywhere below the root. Temporary files of running
   * processes stay. Reads every directory with at most a quarter of one core, which may take
   * minutes, so call it while the server already serves. Files that cannot be read or deleted stay.
   * Ends early if the thread is interrupted.
   */
  public void sweep() {
    LeftoverSweep.below(paths);
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return digest ? stat(path, Digest.Algorithm.SHA256) : knownFacts(path);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    FileFacts facts = knownFacts(path);
    return facts.directory() || facts.digest(algorithm) != null ? facts : readNow(path, algorithm);
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    // Take the facts and the digest from the same open file, even if its name changes meanwhile.
    try (LocalFileSource source = opened(path)) {
      Digest digest = digests.compute(path, source, algorithm);
      return source.facts().withoutDigests().withDigest(digest);
    }
  }

  @Override
  public boolean exists(StorePath path) throws FerryException {
    // A new file is the usual case, and a failure with its reason would be costly.
    return !paths.using(() -> paths.lacks(path)) && FileStore.super.exists(path);
  }

  private FileFacts knownFacts(StorePath path) throws FerryException {
    try {
      return paths.using(
          () ->
              Objects.requireNonNull(
                  knownFacts(paths.existing(path, Wanted.ANYTHING), path, true)));
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  /**
   * The facts without reading the content; null for a link if links are not followed.
   *
   * @param versioned whether they include the version of a file
   */
  private @Nullable FileFacts knownFacts(
      Path file, StorePath path, boolean versioned, LinkOption... options) throws IOException {
    Lock lock = locks.reading(file);
    lock.lock();
    try {
      if (!versioned && !digests.knows(file)) {
        // Of most entries of a list, the version says nothing, and takes time.
        BasicFileAttributes attributes = Modes.readAttributes(file, options);
        return attributes.isSymbolicLink() ? null : FileFacts.of(path.value(), attributes);
      }
      LocalAttributes attributes = LocalAttributes.read(file, options);
      if (attributes.isSymbolicLink()) {
        return null;
      }
      FileFacts facts = attributes.facts(path.value());
      return facts
          .withVersion(versioned ? facts.version() : null)
          .withDigests(digests.get(file, facts.version()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    Path folder = paths.using(() -> paths.existing(directory, Wanted.FOLDER));
    return DirectoryListing.open(
        folder,
        directory,
        new FolderEntries(folder, directory),
        listings,
        holder,
        listings.bytes() / LONG_LISTINGS);
  }

  @Override
  public StorePath real(StorePath directory) throws FerryException {
    Path folder = paths.using(() -> paths.existing(directory, Wanted.FOLDER));
    StorePath real = StorePath.ROOT;
    for (Path name : root().relativize(folder)) {
      real = real.child(name.toString());
    }
    return real;
  }

  /** The entries of one folder, which may be replaced while it is listed. One thread at a time. */
  private final class FolderEntries implements DirectoryListing.Entries {
    private final Path folder;
    private final StorePath directory;
    private final List<Path> above = new ArrayList<>();

    /** What {@link PathsBelowRoot#replacements} was when the folder was last in its place. */
    private long checked;

    FolderEntries(Path folder, StorePath directory) {
      this.folder = folder;
      this.directory = directory;
    }

    @Override
    public DirectoryStream<Path> open(Use<DirectoryStream<Path>, IOException> scan)
        throws IOException {
      return paths.using(
          () -> {
            requireInPlace();
            return scan.run();
          });
    }

    @Override
    public @Nullable FileFacts facts(StorePath path) throws FerryException {
      return paths
          .using(
              () -> {
                // To look at the folder for each entry would cost far more.
                if (checked != paths.replacements()) {
                  requireInPlace();
                }
                return Optional.ofNullable(entryFacts(folder, path, above));
              })
          .orElse(null);
    }

    private void requireInPlace() throws FerryException {
      if (!paths.isInPlace(folder)) {
        Path unused = paths.existing(directory, Wanted.FOLDER);
        throw new FerryException(
            ErrorKind.FILE_CHANGED, directory + ": was moved while it was listed; list it again");
      }
      checked = paths.replacements();
    }
  }

  private @Nullable FileFacts entryFacts(Path folder, StorePath path, List<Path> above) {
    try {
      Path file = folder.resolve(path.name());
      // Only a link can lead out of the store. Resolving every name would cost far more.
      FileFacts facts = knownFacts(file, path, false, LinkOption.NOFOLLOW_LINKS);
      return facts == null
          ? linkFacts(path, above).withLink(SymbolicLinks.read(file, depth(folder)))
          : facts;
    } catch (NoSuchFileException e) {
      // It was deleted since the directory was read.
      return null;
    } catch (IOException e) {
      return FileFacts.leftOut(path.value(), LeftOut.UNREADABLE);
    } catch (InvalidPathException e) {
      return FileFacts.leftOut(path.value(), LeftOut.NAME);
    }
  }

  /** Folders between the root and what is in a folder. */
  private int depth(Path folder) {
    return folder.getNameCount() - paths.root().getNameCount();
  }

  private FileFacts linkFacts(StorePath path, List<Path> above) throws IOException {
    Path real;
    try {
      real = paths.existing(path, Wanted.ANYTHING);
    } catch (FerryException e) {
      // Does not say which: what is missing outside the store is not revealed.
      return FileFacts.leftOut(path.value(), LeftOut.LINK);
    }
    FileFacts facts = knownFacts(real, path, false);
    return Objects.requireNonNull(facts).directory() && isAbove(real, path, above)
        ? FileFacts.leftOut(path.value(), LeftOut.LOOP)
        : facts;
  }

  /** Whether a folder is one of those through which a path leads: a tree below it has no end. */
  private boolean isAbove(Path folder, StorePath path, List<Path> above) throws FerryException {
    StorePath part = above.isEmpty() ? path : StorePath.ROOT;
    while (!part.equals(StorePath.ROOT)) {
      part = part.parent();
      above.add(paths.existing(part, Wanted.FOLDER));
    }
    return above.contains(folder);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return opened(path);
  }

  private LocalFileSource opened(StorePath path) throws FerryException {
    return paths.using(() -> opened(paths.existing(path, Wanted.ANYTHING), path));
  }

  private LocalFileSource opened(Path file, StorePath path) throws FerryException {
    Lock lock = locks.reading(file);
    lock.lock();
    try {
      LocalFileSource source = FileSource.open(file, path.value());
      String version = Objects.requireNonNull(source.facts().version());
      // While the file is open, no other file has its inode number, so the cached digest cannot be
      // returned for a file that replaced it.
      return source.withDigests(
          digests.get(file, version), digest -> digests.add(file, version, digest));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    UploadPart upload = options.upload();
    if (upload != null) {
      return uploads.create(path, options, upload, holder);
    }
    SinkOptions sink = sinkOptions.withCreate(options);
    return paths.using(
        () -> LocalFileSink.create(paths, path, sink, budget, holder).namedBy(this::name));
  }

  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    return uploads.status(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    uploads.cancel(id);
  }

  /**
   * Deletes uploads that were not continued in time. The beginning of an upload does so, too, but
   * there may be none for long.
   */
  public void expireUploads() {
    uploads.expire();
  }

  private FileFacts name(Path file, FileFacts complete, Use<FileFacts, IOException> rename)
      throws IOException {
    return paths.using(
        () -> {
          Lock lock = locks.writing(file);
          lock.lock();
          try {
            FileFacts named = rename.run();
            digests.put(file, named);
            return named;
          } finally {
            lock.unlock();
          }
        });
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    paths.use(
        () -> {
          Path file = paths.unfollowed(path);
          Lock lock = locks.writing(file);
          lock.lock();
          try {
            LocalChanges.delete(file, version, path.value());
            digests.remove(file);
          } catch (IOException e) {
            throw paths.unreachable(e, Wanted.ANYTHING, paths.located(path), path);
          } finally {
            lock.unlock();
          }
        });
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    // A file takes the place of no folder, so other files can be used meanwhile.
    boolean moved =
        paths.using(
            () -> {
              Path from = paths.unfollowed(source);
              boolean isFile = Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS);
              if (isFile) {
                moveAlone(from, source, target, replace);
              }
              return isFile;
            });
    if (!moved) {
      paths.replacing(() -> moveAlone(paths.unfollowed(source), source, target, replace));
    }
  }

  private void moveAlone(Path from, StorePath source, StorePath target, boolean replace)
      throws FerryException {
    Path to = paths.created(target);
    LocalAttributes before;
    try {
      before = LocalAttributes.read(from, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw paths.unreachable(e, Wanted.ANYTHING, paths.located(source), source);
    }
    try {
      if (before.isSymbolicLink()) {
        requireStaysInside(from, to, source, target);
      }
      locks.change(
          from,
          to,
          () -> {
            LocalChanges.move(from, to, replace, source.value(), target.value());
            moved(from, before.facts(target.value()), to);
          });
    } catch (IOException e) {
      throw paths.unreachable(e, Wanted.NEW_FILE, paths.located(target), target);
    }
  }

  /** Keeps the digests of a file: the move has changed its version, and nothing else. */
  private void moved(Path from, FileFacts before, Path to) {
    FileFacts known = before.withDigests(digests.get(from, before.version()));
    digests.remove(from);
    digests.put(to, known.digests().isEmpty() ? known : FinalName.named(to, known));
  }

  /**
   * Checks that a link that stays in the store does so at its new place. Links in a folder that is
   * moved are not read, for there may be many: of them, those that now lead out are not followed.
   */
  private void requireStaysInside(Path from, Path to, StorePath source, StorePath target)
      throws IOException {
    String leadsTo = SymbolicLinks.read(from, depth(from) - 1);
    if (!leadsTo.isEmpty() && !SymbolicLinks.staysInside(depth(to) - 1, leadsTo)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          source + ": as " + target + ", the link would lead out of the store; make a new one");
    }
  }

  /** It is made in a folder with a temporary name, beside its path: on the same disk. */
  @Override
  public StagedTree stage(StorePath path, boolean replace) throws FerryException {
    return paths.using(
        () -> {
          Path target = paths.created(path);
          Path hidden = TemporaryNames.freshTree(Objects.requireNonNull(target.getParent()));
          if (!replace && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw FinalName.exists(path.value(), null);
          }
          try {
            Files.createDirectory(hidden, Modes.creatingFolder(hidden, 0));
            return new HiddenTree(path, replace, hidden);
          } catch (IOException e) {
            throw paths.unreachable(e, Wanted.NEW_FILE, paths.located(path), path);
          }
        });
  }

  /**
   * A tree in a hidden folder, which has its own store. No path of a request leads there, so nobody
   * else makes anything in it.
   */
  private final class HiddenTree implements StagedTree {
    private final StorePath path;
    private final boolean replace;
    private final Path hidden;
    private final Path made;
    private final LocalFileStore store;

    /**
     * The name of what was replaced until it is in the hidden folder, too; null if there is none.
     */
    private @Nullable Path aside;

    HiddenTree(StorePath path, boolean replace, Path hidden) throws IOException {
      this.path = path;
      this.replace = replace;
      this.hidden = hidden;
      Path root = hidden.resolve("new");
      try {
        // The paths in it are those of this store, so that messages name the right ones.
        Files.createDirectories(root.resolve(path.parent().value()));
      } catch (IOException e) {
        LocalChanges.deleteTree(hidden);
        throw e;
      }
      this.made = root.resolve(path.value());
      this.store = new LocalFileStore(root, sinkOptions, budget).heldBy(holder);
    }

    @Override
    public FileStore store() {
      return store;
    }

    @Override
    public void publish() throws FerryException {
      paths.replacing(
          () ->
              put(
                  to -> {
                    LocalChanges.move(made, to, false, path.value(), path.value());
                    if (sinkOptions.sync()) {
                      Directories.force(to.getParent(), null);
                    }
                  }));
    }

    @Override
    public void publish(StorePath source) throws FerryException {
      paths.replacing(() -> put(to -> moveAlone(paths.unfollowed(source), source, path, false)));
    }

    /** Puts something at the path. Meanwhile no other call uses a path of the store. */
    private void put(Step step) throws FerryException {
      Path target = paths.unfollowed(path);
      try {
        Path replaced = replace ? moveAside(target) : null;
        digests.remove(target);
        boolean there = false;
        try {
          step.run(target);
          there = true;
        } finally {
          if (!there && replaced != null) {
            Files.move(replaced, target, StandardCopyOption.ATOMIC_MOVE);
          }
        }
        hide(replaced);
      } catch (IOException e) {
        throw paths.unreachable(e, Wanted.NEW_FILE, paths.located(path), path);
      }
    }

    /**
     * Moves what is at the target to a name that people see: if this process is killed now, it is
     * all that is left of it.
     */
    private @Nullable Path moveAside(Path target) throws IOException {
      if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        return null;
      }
      if (Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther()) {
        var unused = FinalName.requireNoOther(target, path.value());
      }
      String name = ".replaced-" + UUID.randomUUID().toString().substring(0, 8);
      Path replaced = target.resolveSibling(name);
      Files.move(target, replaced, StandardCopyOption.ATOMIC_MOVE);
      return replaced;
    }

    private void hide(@Nullable Path replaced) {
      if (replaced == null) {
        return;
      }
      aside = replaced;
      try {
        Files.move(replaced, old(), StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        // A folder that its owner may not write to stays in its folder. It is deleted there.
        LOG.log(Level.DEBUG, "{0}: not hidden: {1}", replaced, e);
      }
    }

    private Path old() {
      return hidden.resolve("old");
    }

    @Override
    public void close() throws FerryException {
      Path seen = aside;
      try {
        if (seen != null && Files.exists(seen, LinkOption.NOFOLLOW_LINKS)) {
          LocalChanges.deleteTree(seen);
        }
        LocalChanges.deleteTree(hidden);
      } catch (IOException e) {
        throw left(e, seen);
      }
    }

    private FerryException left(IOException e, @Nullable Path seen) {
      FerryException why = FerryException.of(e, path.value());
      if (seen == null) {
        return why;
      }
      try {
        if (Files.exists(old(), LinkOption.NOFOLLOW_LINKS)) {
          Files.move(old(), seen, StandardCopyOption.ATOMIC_MOVE);
          LocalChanges.deleteTree(hidden);
        }
      } catch (IOException again) {
        why.addSuppressed(again);
      }
      String name = path.parent().child(LocalFileSink.nameOf(seen)).value();
      return new FerryException(why.kind(), name + ": is left of what was replaced", why);
    }
  }

  /** What puts something at a path. */
  @FunctionalInterface
  private interface Step {
    void run(Path target) throws IOException;
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    paths.use(
        () -> {
          Path folder = paths.created(path);
          try {
            LocalChanges.makeDirectory(folder, parents, mode);
          } catch (IOException e) {
            throw paths.unreachable(e, Wanted.NEW_FILE, paths.located(path), path);
          }
        });
  }

  @Override
  public void setLastModified(StorePath path, Instant time) throws FerryException {
    paths.use(
        () -> {
          Path file = paths.existing(path, Wanted.ANYTHING);
          Lock lock = locks.writing(file);
          lock.lock();
          try {
            FileTimes.set(file, time, path.value());
          } catch (IOException e) {
            throw FerryException.of(e, path.value());
          } finally {
            lock.unlock();
          }
        });
  }

  @Override
  public Space space(StorePath directory) throws FerryException {
    Path folder = paths.using(() -> paths.existing(directory, Wanted.FOLDER));
    Disk.Space disk = Disk.LOCAL.look(folder);
    return new Space(Math.max(0, disk.size() - disk.usable()), disk.usable());
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    paths.replacing(() -> makeLinkAlone(path, target, replace));
  }

  private void makeLinkAlone(StorePath path, String target, boolean replace) throws FerryException {
    Path link = paths.created(path);
    if (!SymbolicLinks.staysInside(depth(link) - 1, target)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path
              + ": '"
              + PlainText.of(target)
              + "' is not a target of a link here; give a relative one that stays in the store");
    }
    Lock lock = locks.writing(link);
    lock.lock();
    try {
      Path unused =
          Directories.makeFor(
              link, null, () -> SymbolicLinks.make(link, target, replace, path.value()));
      digests.remove(link);
    } catch (IOException e) {
      throw paths.unreachable(e, Wanted.NEW_FILE, paths.located(path), path);
    } finally {
      lock.unlock();
    }
  }
}
