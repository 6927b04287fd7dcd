package dev.ferry.core.local;

import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.internal.PathParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file under a temporary name in the directory of its target, verifies it, and renames it
 * atomically. Without a commit, the sink also removes the directories that it created, unless they
 * are in use.
 *
 * <p>The temporary file is beside its target, and not in one folder for all, which would be quicker
 * to sweep: there may be links to folders and mounted disks below the root, and a rename from one
 * disk to another fails. With {@link SinkOptions#sync} the file and its folder are forced to the
 * disk; without it, a rename may reach the disk before the data.
 */
public final class LocalFileSink implements FileSink {
  private final Path target;
  private final String name;
  private final String label;
  private final Path temporary;
  private final FileChannel channel;
  private final SinkOptions options;
  private final ReceiveBudget.Share share;
  private final @Nullable Path firstMadeDirectory;
  private final ReceivedDigest digest;

  /** Bytes that had arrived before this sink was opened. */
  private final long start;

  /** Null if the file is not one of a store. */
  private @Nullable PathsBelowRoot paths;

  private FinalName.Naming naming = (file, complete, rename) -> rename.run();
  private long written;
  private boolean announced;
  private boolean done;

  private LocalFileSink(
      Path target,
      String name,
      String label,
      Path temporary,
      FileChannel channel,
      SinkOptions options,
      ReceiveBudget.Share share,
      @Nullable Path firstMadeDirectory,
      ReceivedDigest digest,
      long start) {
    this.target = target;
    this.name = name;
    this.label = label;
    this.temporary = temporary;
    this.channel = channel;
    this.options = options;
    this.share = share;
    this.firstMadeDirectory = firstMadeDirectory;
    this.digest = digest;
    this.start = start;
    this.written = start;
    share.wrote(start);
    if (options.verifyDisk()) {
      digest.expect(Digest.Algorithm.CRC32C, Runnable::run);
    }
  }

  /**
   * Begins to receive a local file. It is written under a temporary name in the directory of its
   * target, verified, and renamed atomically.
   *
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} if the target is a directory, is
   *     below a file, or is an existing file and the options are create-only; with {@link
   *     ErrorKind#NOT_FOUND} if a parent directory is missing and the options do not create it; or
   *     with a failure of the disk; the condition on the replaced version is checked by {@link
   *     #commit}
   */
  public static LocalFileSink create(Path target, SinkOptions options) throws FerryException {
    return create(target, options, TemporaryNames::fresh);
  }

  /**
   * Begins to receive a local file under a temporary name that is chosen.
   *
   * @param naming chooses the temporary file in the directory of the target
   */
  static LocalFileSink create(Path target, SinkOptions options, UnaryOperator<Path> naming)
      throws FerryException {
    ReceiveBudget budget = new ReceiveBudget(options.limits(), Disk.LOCAL);
    return create(
        target, nameOf(target), target.toString(), options, budget, CallerShares.NOBODY, naming);
  }

  /** Returns the last name of a local file. */
  static String nameOf(Path target) {
    return String.valueOf(target.getFileName() == null ? target : target.getFileName());
  }

  /**
   * Whether this is the name of a temporary file, or of the folder of uploads. Other names with
   * Ferry's prefix are somebody's files.
   */
  public static boolean isFerrys(Path file) {
    return TemporaryNames.isFerrys(file);
  }

  /**
   * Deletes temporary files of killed processes in a local directory, without its subdirectories.
   * Temporary files of running processes stay, and for a week those with which a later process may
   * go on. Files that cannot be read or deleted stay.
   */
  public static void sweep(Path directory) {
    LeftoverSweep.in(directory);
  }

  /**
   * Deletes all temporary files of killed processes in a local directory that is about to be
   * deleted, of whatever age. Deletes nothing if the directory contains anything else.
   */
  public static void sweepBeforeDeletion(Path directory) {
    LeftoverSweep.beforeDeletion(directory);
  }

  /**
   * Begins to receive a file of a store. Called within {@link PathsBelowRoot#using}. The rename
   * needs no later look at the folders of the target: what replaces one of them does not have the
   * temporary file.
   *
   * @param budget the budget shared by all files that are received together
   * @param holder whose share of it the file counts for
   */
  static LocalFileSink create(
      PathsBelowRoot paths,
      StorePath path,
      SinkOptions options,
      ReceiveBudget budget,
      String holder)
      throws FerryException {
    // If the target itself is a link, the rename replaces the link and does not follow it, so the
    // file stays inside the store.
    Path target = paths.created(path);
    String name = path.value();
    LocalFileSink sink = create(target, name, name, options, budget, holder, TemporaryNames::fresh);
    sink.paths = paths;
    return sink;
  }

  /**
   * Begins to receive a file.
   *
   * @param name the name in its facts
   * @param label the name in messages; ends with the same segments as the target
   * @param naming chooses the temporary file in the directory of the target
   */
  private static LocalFileSink create(
      Path target,
      String name,
      String label,
      SinkOptions options,
      ReceiveBudget budget,
      String holder,
      UnaryOperator<Path> naming)
      throws FerryException {
    Path absolute = target.toAbsolutePath();
    Path directory = absolute.getParent();
    if (directory == null) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, label + ": is a folder");
    }
    CreateOptions create = options.create();
    if (create.createOnly() && Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
      var unused = FinalName.requireNoOther(absolute, label);
      throw FinalName.exists(label, null);
    }
    BasicFileAttributes replaced = FinalName.replaced(absolute, label, create);
    boolean make = create.makeParents();
    Path firstMade = null;
    // Most folders are there, so the first attempt does not look for them.
    for (int attempt = 0; ; attempt++) {
      try {
        if (attempt > 0) {
          Files.createDirectories(directory, Modes.creatingFolder(directory, create.folderMode()));
        }
        Path temporary = naming.apply(directory);
        FileChannel channel = FinalName.openNew(temporary, replaced, options);
        return new LocalFileSink(
            absolute,
            name,
            label,
            temporary,
            channel,
            options,
            budget.open(holder, label, directory),
            firstMade,
            new ReceivedDigest(temporary, label),
            0);
      } catch (IOException e) {
        // A cancelled sink may just have removed the directories that it had created. If a
        // directory vanishes after createDirectories failed to create it, the error is
        // FileAlreadyExistsException.
        boolean vanished =
            e instanceof NoSuchFileException || e instanceof FileAlreadyExistsException;
        if (make && (attempt == 0 || (vanished && attempt < Directories.MAKE_ATTEMPTS))) {
          firstMade = Directories.higher(firstMade, Directories.firstMissing(directory));
          continue;
        }
        FerryException failure = PathParts.explain(e, PathParts.Wanted.NEW_FILE, absolute, label);
        Directories.removeEmpty(directory, firstMade);
        throw failure;
      }
    }
  }

  /**
   * Continues to receive a file, or begins to, in another directory than that of its target. This
   * directory is not made.
   *
   * @param temporary the file with what has arrived
   * @param channel the same file, open to append
   * @param start bytes that it has
   * @param crc their checksum; null if it is not known
   */
  static LocalFileSink continued(
      Path target,
      String name,
      String label,
      Path temporary,
      FileChannel channel,
      SinkOptions options,
      ReceiveBudget.Share share,
      long start,
      @Nullable Crc32c crc) {
    ReceivedDigest digest = ReceivedDigest.continued(temporary, label, start, crc);
    return new LocalFileSink(
        target, name, label, temporary, channel, options, share, null, digest, start);
  }

  Path target() {
    return target;
  }

  LocalFileSink namedBy(FinalName.Naming chosen) {
    naming = chosen;
    return this;
  }

  @Override
  public long written() {
    return written;
  }

  @Override
  public void expect(long size) throws FerryException {
    announced = true;
    share.announce(size);
  }

  @Override
  public boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
    return digest.expect(algorithm, executor);
  }

  @Override
  public boolean commitsSlowly() {
    return options.sync() || options.verifyDisk();
  }

  @Override
  public void checkExpansion(long arrived) throws FerryException {
    if (!announced) {
      options.limits().requireExpansion(name, written - start, arrived);
    }
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    share.grow(written + source.remaining());
    digest.add(source);
    try {
      while (source.hasRemaining()) {
        written += channel.write(source);
      }
      wrote();
    } catch (IOException e) {
      throw FerryException.of(e, label);
    }
  }

  @Override
  public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
    long remaining = 0;
    for (int i = offset; i < offset + count; i++) {
      remaining += sources[i].remaining();
    }
    share.grow(written + remaining);
    for (int i = offset; i < offset + count; i++) {
      digest.add(sources[i]);
    }
    try {
      PartSink.writeFully(channel, sources, offset, count);
      written += remaining;
      wrote();
    } catch (IOException e) {
      throw FerryException.of(e, label);
    }
  }

  /**
   * Opens a sink for a part of the file. Several threads may write a part each at the same time.
   * The file can be committed after all its bytes were received. Its size must be announced before.
   *
   * @param offset the position of the part's first byte
   * @param length bytes of the part; its commit checks that they have arrived
   */
  FileSink part(long offset, long length) throws FerryException {
    try {
      return new PartSink(this, temporary, name, offset, length);
    } catch (IOException e) {
      throw FerryException.of(e, label);
    }
  }

  /** Makes the bytes so far the first part of the file. The rest is received in parts. */
  synchronized void keep() throws FerryException {
    try {
      digest.keep(written);
    } catch (IOException e) {
      throw FerryException.of(e, label);
    }
  }

  /** Adds the checksum of the bytes that had arrived before this sink was opened. */
  synchronized void addFirst(Crc32c crc) {
    digest.addPart(0, start, crc.value());
  }

  /** Adds the bytes that were received of a part. */
  synchronized void received(long offset, long length, int crc) {
    written += length;
    share.wrote(written);
    digest.addPart(offset, length, crc);
  }

  private void wrote() throws FerryException {
    share.wrote(written);
    digest.wrote(written);
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    if (done) {
      throw new IllegalStateException(label + ": committed or closed already");
    }
    if (expectedSize >= 0 && written != expectedSize) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          label + ": " + written + " bytes arrived, " + expectedSize + " were announced");
    }
    try {
      if (expectedDigest != null) {
        digest.requireEqual(expectedDigest, written);
      }
      FinalName.date(temporary, label, options.create());
      if (commitsSlowly()) {
        channel.force(true);
      }
      if (options.verifyDisk()) {
        digest.requireStored(expectedDigest, written);
      }
      channel.close();
      digest.close();
      // Before the rename, which gives the file its version.
      FinalName.own(temporary, target, label, options.create());
      FileFacts complete = complete(expectedDigest);
      FileFacts named = naming.name(target, complete, () -> rename(complete));
      done = true;
      share.close();
      if (options.sync()) {
        Directories.force(target.getParent(), firstMadeDirectory);
      }
      return named;
    } catch (IOException e) {
      throw FerryException.of(e, label);
    }
  }

  /** Closes the file and keeps it under its temporary name, for another sink to continue. */
  void release() throws IOException {
    done = true;
    try (channel) {
      digest.close();
    }
  }

  /** Returns the checksum of what has arrived; null if it is not known. */
  @Nullable Crc32c receivedCrc() {
    return digest.crcOf(written);
  }

  /** The facts of the file before it has its name. */
  private FileFacts complete(@Nullable Digest compared) {
    Instant time = options.create().lastModified();
    return new FileFacts(
            name,
            written,
            time == null ? FileFacts.UNKNOWN_TIME : time.truncatedTo(ChronoUnit.MILLIS),
            false,
            null)
        .withDigest(compared);
  }

  private FileFacts rename(FileFacts complete) throws IOException {
    FinalName.give(temporary, target, label, options.create());
    return FinalName.named(target, complete);
  }

  @Override
  public void close() throws FerryException {
    if (done) {
      return;
    }
    done = true;
    try {
      try (channel) {
        digest.close();
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw FerryException.of(e, label);
    } finally {
      share.close();
      removeMade();
    }
  }

  private void removeMade() {
    Path directory = target.getParent();
    PathsBelowRoot store = paths;
    if (directory == null || firstMadeDirectory == null) {
      return;
    }
    if (store == null) {
      Directories.removeEmpty(directory, firstMadeDirectory);
      return;
    }
    store.use(
        () -> {
          if (store.hasFoldersInPlace(target)) {
            Directories.removeEmpty(directory, firstMadeDirectory);
          }
        });
  }
}
