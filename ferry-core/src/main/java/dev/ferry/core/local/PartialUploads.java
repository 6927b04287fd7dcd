package dev.ferry.core.local;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.internal.RecentMap;
import dev.ferry.core.internal.UploadNames;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The uploads of a store that can be continued, and those that were completed. Their files are in
 * one folder below the root, which is made for the first of them. Thread-safe.
 *
 * <p>Files that were announced as smaller than {@value #LEAST_SIZE} bytes, and those for another
 * disk than that of the root, are received as without this. What was received of them is not kept,
 * but their completion is remembered.
 *
 * <p>What is kept counts for the limit of what is being received, and expires some time after its
 * last byte ({@link dev.ferry.core.ReceiveLimits#keepPartial}). The complete file is renamed from
 * the folder, so unless it replaces another one, its group is that of new files there, and access
 * control lists that folders pass on to new files do not count.
 */
final class PartialUploads {
  private static final System.Logger LOG = System.getLogger(PartialUploads.class.getName());

  /** The folder below the root. Its name is reserved, so it is neither listed nor served. */
  static final String FOLDER = StorePath.RESERVED_PREFIX + "uploads";

  /** Bytes of a file from which on it is worthwhile to keep a part of it. */
  static final long LEAST_SIZE = 8 * 1024 * 1024;

  /**
   * Partial uploads at most, divided as {@link CallerShares}. Further ones are received as without.
   */
  private static final int MOST_PARTIAL = 1_000;

  /** Completed uploads in memory at most. */
  private static final int MOST_COMPLETED = 10_000;

  /** Only the user of the server uses the folder. */
  private static final int PRIVATE = 0700;

  private static final String BYTES = ".bytes";
  private static final String RECORD = ".record";

  private static final long EXPIRE_EACH_NANOS = Duration.ofMinutes(1).toNanos();

  private final PathsBelowRoot paths;
  private final Path folder;
  private final SinkOptions options;
  private final ReceiveBudget budget;
  private final Duration keep;
  private final FinalName.Naming naming;
  private final Map<String, PartialUpload> partial = new ConcurrentHashMap<>();
  private final AtomicLong expired = new AtomicLong(System.nanoTime() - EXPIRE_EACH_NANOS);

  private final Map<UploadId, KeptUpload> completed =
      Collections.synchronizedMap(new RecentMap<>(MOST_COMPLETED));

  /**
   * Finds the uploads that an earlier process left.
   *
   * @param options with the time that uploads are kept
   * @param naming gives complete files their names
   */
  PartialUploads(
      PathsBelowRoot paths, SinkOptions options, ReceiveBudget budget, FinalName.Naming naming) {
    this.paths = paths;
    this.folder = paths.root().resolve(FOLDER);
    this.options = options;
    this.budget = budget;
    this.keep = options.limits().keepPartial();
    this.naming = naming;
    for (String stem : stems()) {
      PartialUpload unused = load(stem);
    }
  }

  static FerryException unknown(UploadId id) {
    return new FerryException(ErrorKind.NOT_FOUND, "upload " + id + ": not known, or expired");
  }

  PathsBelowRoot paths() {
    return paths;
  }

  FinalName.Naming naming() {
    return naming;
  }

  /** Returns whether complete files are forced to the disk. */
  boolean syncs() {
    return options.sync();
  }

  /** Returns the names in the folder, without their endings. */
  private Set<String> stems() {
    Set<String> stems = new HashSet<>();
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return stems;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        for (String ending : new String[] {BYTES, RECORD}) {
          if (name.endsWith(ending)) {
            stems.add(name.substring(0, name.length() - ending.length()));
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.log(Level.WARNING, "{0}: uploads in this folder cannot resume: {1}", folder, e);
    }
    return stems;
  }

  private Path bytes(String stem) {
    return folder.resolve(stem + BYTES);
  }

  private Path record(String stem) {
    return folder.resolve(stem + RECORD);
  }

  /** Reads what a process left of an upload; returns null unless it can be continued. */
  private @Nullable PartialUpload load(String stem) {
    try {
      UploadRecord record = UploadRecord.read(record(stem));
      if (record == null
          || !stem.equals(UploadNames.of(record.id()))
          || age(stem).compareTo(keep) > 0) {
        return null;
      }
      FileFacts named = record.named();
      if (named != null && hasItsName(bytes(stem), record.path())) {
        remember(record.id(), record.path(), record.create(), named);
        return null;
      }
      long received = Files.size(bytes(stem));
      String caller = record.id().caller();
      String holder = caller.isEmpty() ? CallerShares.NOBODY : CallerShares.ofUser(caller);
      return partial.computeIfAbsent(stem, s -> upload(record, s, holder, received));
    } catch (NoSuchFileException e) {
      // Another process has ended it.
      return null;
    } catch (IOException e) {
      LOG.log(Level.WARNING, "{0}: this upload cannot resume: {1}", record(stem), e);
      return null;
    }
  }

  /**
   * Returns whether a file has its name in the store, and no longer its temporary one. A file that
   * was not to replace another one may have both, if the process was killed in between.
   */
  private boolean hasItsName(Path bytes, StorePath path) throws IOException {
    if (Files.notExists(bytes)) {
      return true;
    }
    Path target = paths.root().resolve(path.value());
    if (Files.notExists(target) || !Files.isSameFile(target, bytes)) {
      return false;
    }
    Files.delete(bytes);
    return true;
  }

  private PartialUpload upload(UploadRecord record, String stem, String holder, long received) {
    return new PartialUpload(
        this,
        record,
        bytes(stem),
        record(stem),
        budget.open(holder, record.path().value(), folder),
        received);
  }

  /** Returns an upload of this or another process; null if there is none to continue. */
  private @Nullable PartialUpload find(UploadId id) {
    String stem = UploadNames.of(id);
    PartialUpload known = partial.get(stem);
    PartialUpload found = known == null ? load(stem) : known;
    return found != null && found.record().id().equals(id) ? found : null;
  }

  /**
   * Begins an upload, or goes on with it.
   *
   * @param create conditions with the upload
   * @param holder whose share of the limits it counts for, if it begins
   */
  FileSink create(StorePath path, CreateOptions create, UploadPart part, String holder)
      throws FerryException {
    SinkOptions sink = options.withCreate(create);
    PartialUpload known = find(part.id());
    if (known == null && completed.containsKey(part.id())) {
      throw new FerryException(
          ErrorKind.OFFSET_MISMATCH, path + ": upload " + part.id() + " is complete");
    }
    if (known == null && part.offset() != 0) {
      throw unknown(part.id());
    }
    if (known == null) {
      Optional<LocalFileSink> beside = paths.using(() -> unlessKept(path, sink, part, holder));
      if (beside.isPresent()) {
        return beside
            .get()
            .namedBy(
                (file, complete, rename) -> {
                  FileFacts named = naming.name(file, complete, rename);
                  remember(part.id(), path, create, named);
                  return named;
                });
      }
    }
    Path target = paths.using(() -> paths.created(path));
    PartialUpload upload = known == null ? begin(part, path, create, holder) : known;
    return upload.open(part, path, target, sink);
  }

  /** Creates the file beside its target; nothing if what arrives of it is to be kept. */
  private Optional<LocalFileSink> unlessKept(
      StorePath path, SinkOptions sink, UploadPart part, String holder) throws FerryException {
    // Fails if the file could not be created; the first byte is early enough to say so.
    LocalFileSink beside = LocalFileSink.create(paths, path, sink, budget, holder);
    if (!isKept(part, beside.target(), holder)) {
      return Optional.of(beside);
    }
    beside.close();
    return Optional.empty();
  }

  private PartialUpload begin(UploadPart part, StorePath path, CreateOptions create, String holder)
      throws FerryException {
    expireSometimes();
    String stem = UploadNames.of(part.id());
    try {
      makeFolder();
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
    UploadRecord record =
        new UploadRecord(
            part.id(),
            path,
            create.withUpload(null),
            part.size(),
            part.digest(),
            UploadRecord.THIS_BOOT,
            null);
    return partial.computeIfAbsent(stem, s -> upload(record, s, holder, -1));
  }

  /** The files are for folders of which some may be private. */
  private void makeFolder() throws IOException {
    Files.createDirectories(folder, Modes.creating(folder, PRIVATE));
  }

  private boolean isKept(UploadPart part, Path target, String holder) {
    boolean large = part.size() < 0 || part.size() >= LEAST_SIZE || !part.last();
    return large && !keep.isZero() && hasPlace(holder) && canRename(existing(target));
  }

  /** Returns whether there is one more place for a holder. */
  private boolean hasPlace(String holder) {
    long own = partial.values().stream().filter(u -> u.holder().equals(holder)).count();
    return CallerShares.most(holder, MOST_PARTIAL - partial.size(), own) > 0;
  }

  /**
   * Returns whether a file can be renamed from the folder of uploads to a directory. It cannot if
   * the directory is on another disk, or is a mount of its own, as a bind mount is.
   */
  private boolean canRename(Path directory) {
    if (!Disk.key(directory).equals(Disk.key(paths.root()))) {
      return false;
    }
    Path probe = TemporaryNames.fresh(folder);
    Path renamed = directory.resolve(String.valueOf(probe.getFileName()));
    try {
      makeFolder();
      Files.createFile(probe);
      Files.move(probe, renamed, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "uploads to {0} start again after a failure: {1}", directory, e);
      return false;
    } finally {
      boolean unused = delete(probe) && delete(renamed);
    }
  }

  /** Returns the lowest directory of a path that exists, at or below the root. */
  private Path existing(Path target) {
    Path directory = target.getParent();
    while (directory != null && Files.notExists(directory)) {
      directory = directory.getParent();
    }
    return directory == null ? paths.root() : directory;
  }

  /** Returns an upload that can be continued or is complete. */
  KeptUpload status(UploadId id) throws FerryException {
    PartialUpload found = find(id);
    if (found != null) {
      try {
        return found.status();
      } catch (FerryException e) {
        // It may have been completed meanwhile.
        if (!completed.containsKey(id)) {
          throw e;
        }
      }
    }
    KeptUpload kept = completed.get(id);
    if (kept == null) {
      throw unknown(id);
    }
    return kept;
  }

  /** Discards an upload. The file of a complete one stays. */
  void cancel(UploadId id) throws FerryException {
    PartialUpload found = find(id);
    if (found != null) {
      found.cancel();
    } else if (completed.remove(id) != null) {
      boolean unused = delete(record(UploadNames.of(id)));
    } else {
      throw unknown(id);
    }
  }

  /** Deletes the files of an upload. */
  void discard(PartialUpload upload, Path bytes, Path record) {
    delete(bytes, record);
    forget(upload);
  }

  /**
   * Deletes the record before the bytes: a record that says that the file has its name, without
   * bytes, is that of a complete upload.
   */
  private static void delete(Path bytes, Path record) {
    if (delete(record)) {
      boolean unused = delete(bytes);
    }
  }

  /** Forgets an upload of which nothing can be continued here. */
  void forget(PartialUpload upload) {
    boolean unused = partial.remove(UploadNames.of(upload.record().id()), upload);
  }

  /** Remembers that an upload is complete. */
  void completed(PartialUpload upload, FileFacts facts) {
    UploadRecord record = upload.record();
    remember(record.id(), record.path(), record.create(), facts);
    forget(upload);
  }

  private void remember(UploadId id, StorePath path, CreateOptions create, FileFacts facts) {
    completed.put(
        id,
        new KeptUpload(path, create, facts.size(), null, new UploadStatus(facts.size(), facts)));
  }

  private void expireSometimes() {
    long last = expired.get();
    long now = System.nanoTime();
    if (now - last >= EXPIRE_EACH_NANOS && expired.compareAndSet(last, now)) {
      expire();
    }
  }

  /** Deletes what has not been continued for too long. */
  void expire() {
    for (String stem : stems()) {
      if (age(stem).compareTo(keep) > 0) {
        PartialUpload known = partial.get(stem);
        if (known != null) {
          known.expire();
        } else {
          delete(bytes(stem), record(stem));
        }
      }
    }
  }

  /** Returns the time since the last byte of an upload. */
  private Duration age(String stem) {
    Instant last = Instant.MIN;
    for (Path file : new Path[] {bytes(stem), record(stem)}) {
      try {
        Instant modified = Files.getLastModifiedTime(file).toInstant();
        last = modified.isAfter(last) ? modified : last;
      } catch (IOException e) {
        // The record of a complete file has no bytes beside it.
        continue;
      }
    }
    return last.equals(Instant.MIN) ? Duration.ZERO : Duration.between(last, Instant.now());
  }

  /** Returns whether a file no longer exists. */
  private static boolean delete(Path file) {
    try {
      Files.deleteIfExists(file);
      return true;
    } catch (IOException e) {
      // The next expiry tries again.
      return false;
    }
  }
}
