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
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.local.PathsBelowRoot.Use;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An upload that can be continued: a file with the bytes that have arrived, and an {@link
 * UploadRecord} beside it. Bytes are appended in order, so all that the file has can be used.
 *
 * <p>Thread-safe.
 *
 * <p>A client that comes back is right: the request that still receives the same upload is stopped,
 * and what it has written counts. The record is locked while the upload is received, so a second
 * server of the same folder refuses it until the first has stopped.
 *
 * <p>A lost connection, silence and a cancelled call keep what has arrived. A limit, a full disk
 * and a wrong digest delete it. After a restart of the operating system the file may have lost
 * bytes: without a digest the upload is then refused, and not completed.
 */
final class PartialUpload {
  private static final System.Logger LOG = System.getLogger(PartialUpload.class.getName());

  private final PartialUploads all;
  private final UploadRecord record;
  private final Path bytes;
  private final Path recordFile;
  private final ReceiveBudget.Share share;

  /** Whether the complete file is being checked, which may take long. */
  private volatile boolean committing;

  // The lock of this object guards the following.
  private boolean begun;
  private boolean over;
  private long received;
  private @Nullable Crc32c crc;

  /** Written with the lock. Read without it by a former sink, which must not wait for a new one. */
  private volatile @Nullable Receiving receiving;

  /**
   * Creates an upload without opening its files.
   *
   * @param bytes the file of what has arrived
   * @param received how many bytes it has; negative if neither file exists
   */
  PartialUpload(
      PartialUploads all,
      UploadRecord record,
      Path bytes,
      Path recordFile,
      ReceiveBudget.Share share,
      long received) {
    this.all = all;
    this.record = record;
    this.bytes = bytes;
    this.recordFile = recordFile;
    this.share = share;
    this.begun = received >= 0;
    this.received = Math.max(0, received);
    if (begun) {
      share.keep(received);
    }
  }

  UploadRecord record() {
    return record;
  }

  /** Returns whose share of the limits it counts for. */
  String holder() {
    return share.holder();
  }

  /**
   * Opens a sink that goes on behind the bytes that have arrived. If another sink receives them,
   * its client has lost the connection, and it is closed.
   *
   * @param target the path of the complete file
   */
  FileSink open(UploadPart part, StorePath path, Path target, SinkOptions options)
      throws FerryException {
    requireNotCommitting();
    synchronized (this) {
      stop();
      requireThis(part, path);
      try {
        UploadJournal journal = journal();
        try {
          requireOffset(part.offset());
          Receiving sink = new Receiving(file(target, options), journal);
          begun = true;
          receiving = sink;
          return sink;
        } catch (IOException | RuntimeException e) {
          journal.close();
          throw e;
        }
      } catch (NoSuchFileException e) {
        // Another process that serves the folder has completed the upload, or discarded it.
        over = true;
        share.close();
        all.forget(this);
        throw PartialUploads.unknown(record.id());
      } catch (IOException e) {
        if (!begun) {
          discard();
        }
        throw FerryException.of(e, path.value());
      }
    }
  }

  private void requireThis(UploadPart part, StorePath path) throws FerryException {
    requireKnown();
    if (!path.equals(record.path()) || part.size() != record.size()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "%s: upload %s is of another file or size; choose another id"
              .formatted(path, record.id()));
    }
  }

  private void requireKnown() throws FerryException {
    if (over) {
      throw PartialUploads.unknown(record.id());
    }
  }

  private void requireNotCommitting() throws FerryException {
    if (committing) {
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          record.path() + ": has arrived and is being checked; ask again in a moment");
    }
  }

  private void requireOffset(long offset) throws FerryException {
    if (offset != received) {
      throw new FerryException(
          ErrorKind.OFFSET_MISMATCH,
          "%s: the upload continues at byte %d, not at %d"
              .formatted(record.path(), received, offset));
    }
  }

  private UploadJournal journal() throws IOException {
    if (!begun) {
      return UploadJournal.create(recordFile, record);
    }
    UploadJournal journal = UploadJournal.open(recordFile, record);
    try {
      // Another process may have received more.
      long size = Files.size(bytes);
      journal.dropNamed(record);
      crc = size == received ? crc : null;
      received = size;
      return journal;
    } catch (IOException e) {
      journal.close();
      throw e;
    }
  }

  private LocalFileSink file(Path target, SinkOptions options) throws IOException {
    String name = record.path().value();
    FileChannel channel =
        begun
            ? FileChannel.open(bytes, StandardOpenOption.WRITE).position(received)
            : FinalName.openNew(bytes, FinalName.replaced(target, name, options.create()), options);
    return LocalFileSink.continued(
        target, name, name, bytes, channel, options, share, received, crc);
  }

  /** Returns what is known of the upload, after a running request has been stopped. */
  KeptUpload status() throws FerryException {
    requireNotCommitting();
    synchronized (this) {
      stop();
      requireKnown();
      return new KeptUpload(
          record.path(),
          record.create(),
          record.size(),
          record.digest(),
          new UploadStatus(received, null));
    }
  }

  /** Deletes the upload. */
  void cancel() throws FerryException {
    requireNotCommitting();
    synchronized (this) {
      requireKnown();
      discard();
    }
  }

  /** Deletes the upload unless a sink receives it. */
  void expire() {
    if (receiving != null) {
      return;
    }
    synchronized (this) {
      if (receiving == null && !over) {
        discard();
      }
    }
  }

  /** Stops the sink that receives the upload, and keeps what has arrived. */
  private void stop() throws FerryException {
    Receiving running = receiving;
    if (running != null) {
      running.keep();
    }
  }

  private void discard() {
    over = true;
    Receiving running = receiving;
    receiving = null;
    all.discard(this, bytes, recordFile);
    share.close();
    if (running != null) {
      running.release();
    }
  }

  private void complete(FileFacts facts) {
    over = true;
    receiving = null;
    all.completed(this, facts);
  }

  /** Receives the upload, or the rest of it. */
  private final class Receiving extends ForwardingSink {
    private final LocalFileSink file;
    private final UploadJournal journal;
    private final long begin;
    private @Nullable FerryException failure;

    Receiving(LocalFileSink file, UploadJournal journal) {
      super(file);
      this.file = file.namedBy(this::name);
      this.journal = journal;
      this.begin = file.written();
    }

    private void requireCurrent() throws FerryException {
      if (receiving != this) {
        throw new FerryException(
            ErrorKind.CANCELLED, record.path() + ": the upload continues in another request");
      }
    }

    @Override
    public boolean isKept() {
      return true;
    }

    private void guard(Action<FerryException> step) throws FerryException {
      requireCurrent();
      synchronized (PartialUpload.this) {
        requireCurrent();
        try {
          step.run();
        } catch (FerryException e) {
          failure = e;
          throw e;
        }
      }
    }

    @Override
    public void expect(long size) throws FerryException {
      guard(() -> file.expect(size));
    }

    @Override
    public void checkExpansion(long arrived) throws FerryException {
      guard(() -> file.checkExpansion(arrived));
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      guard(() -> file.write(source));
    }

    @Override
    public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
      guard(() -> file.write(sources, offset, count));
    }

    @Override
    public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
        throws FerryException {
      synchronized (PartialUpload.this) {
        requireCurrent();
        committing = true;
        try {
          FileFacts facts = check(expectedSize, expectedDigest);
          complete(facts);
          release();
          return facts;
        } finally {
          committing = false;
        }
      }
    }

    private FileFacts check(long expectedSize, @Nullable Digest expectedDigest)
        throws FerryException {
      try {
        if (expectedDigest == null && begin > 0) {
          requireThisBoot();
        }
        // The file is about to get the time that its sender wants, which says no longer when the
        // upload was last used.
        Files.setLastModifiedTime(recordFile, FileTime.from(Instant.now()));
        return file.commit(expectedSize, expectedDigest);
      } catch (IOException e) {
        FerryException reason = FerryException.of(e, record.path().value());
        failure = reason;
        throw reason;
      }
    }

    /** A file may lose bytes that were written before the operating system stopped. */
    private void requireThisBoot() throws FerryException {
      if (!record.boot().equals(UploadRecord.THIS_BOOT)) {
        throw new FerryException(
            ErrorKind.DIGEST_MISMATCH,
            record.path()
                + ": the server's machine was started again, and no digest was sent to check the"
                + " first part of the file; send it again");
      }
    }

    private FileFacts name(Path target, FileFacts complete, Use<FileFacts, IOException> rename)
        throws IOException {
      AtomicReference<FileFacts> named = new AtomicReference<>(complete);
      Optional<Path> made =
          all.paths()
              .using(
                  () -> {
                    requireInPlace(target);
                    journal.named(complete);
                    Action<IOException> step =
                        () -> named.set(all.naming().name(target, complete, rename));
                    CreateOptions create = record.create();
                    if (create.makeParents()) {
                      return Optional.ofNullable(
                          Directories.makeFor(target, create.folderMode(), step));
                    }
                    step.run();
                    return Optional.empty();
                  });
      if (made.isPresent() && all.syncs()) {
        Directories.force(target.getParent(), made.get());
      }
      FileFacts facts = Objects.requireNonNull(named.get());
      note(facts);
      return facts;
    }

    /** Without it, a later process knows all of the file but its version. */
    private void note(FileFacts named) {
      try {
        journal.named(named);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "the version of a file is not written down", e);
      }
    }

    /**
     * Checks the folders of the target, which was found when the request began. The bytes are
     * elsewhere, so the rename would follow a link that replaces one of them.
     */
    private void requireInPlace(Path target) throws FerryException {
      if (!all.paths().hasFoldersInPlace(target)) {
        throw new FerryException(
            ErrorKind.INVALID_PATH,
            "invalid path '" + record.path() + "': its folder was moved meanwhile; send it again");
      }
    }

    /** Closes the files, which stay as they are. */
    private void release() {
      try (journal) {
        file.release();
      } catch (IOException e) {
        // What was written counts, and not how the file was closed.
        return;
      }
    }

    private void keep() throws FerryException {
      receiving = null;
      crc = failure == null ? file.receivedCrc() : null;
      release();
      try {
        received = Files.size(bytes);
      } catch (IOException e) {
        throw FerryException.of(e, record.path().value());
      }
      share.keep(received);
    }

    @Override
    public void close() throws FerryException {
      if (receiving != this) {
        return;
      }
      synchronized (PartialUpload.this) {
        if (receiving != this) {
          return;
        }
        if (failure == null || mayGoOn(failure.kind())) {
          keep();
        } else {
          discard();
        }
      }
    }

    /** Whether the upload can be continued after this failure of a write or the commit. */
    private boolean mayGoOn(ErrorKind kind) {
      return kind == ErrorKind.CANCELLED || kind == ErrorKind.OVERLOADED;
    }
  }
}
