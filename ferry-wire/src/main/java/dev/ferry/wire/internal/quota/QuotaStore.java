package dev.ferry.wire.internal.quota;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StagedTree;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.internal.ForwardingTree;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store of which a caller may use as much as its {@link UploadQuotas} leave. What an upload will
 * need is reserved when it begins, and refused if it is too much then: its file, the directories
 * that are missing, and the rest of the announced size. Bytes beyond that are counted as they are
 * written. Of a file that is refused meanwhile, only what earlier requests have sent is kept.
 * Thread-safe.
 */
final class QuotaStore extends ForwardingStore {
  private final UploadQuotas quotas;

  /**
   * @param store what the caller may use
   */
  QuotaStore(FileStore store, UploadQuotas quotas) {
    super(store);
    this.quotas = quotas;
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store().stat(path, algorithm);
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store().readNow(path, algorithm);
  }

  @Override
  public boolean exists(StorePath path) throws FerryException {
    return store().exists(path);
  }

  @Override
  public Listing listTree(StorePath directory) throws FerryException {
    return store().listTree(directory);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    UploadPart part = options.upload();
    // It makes the directories when it is complete, if it was to make them when it began.
    boolean continued = part != null && part.offset() > 0;
    MissingFolders folders =
        continued || options.makeParents() ? toMake(path.parent()) : MissingFolders.NONE;
    QuotaReservation reserved = new QuotaReservation(quotas);
    if (!continued) {
      reserved.addFiles(path, folders.number());
    }
    FileSink sink = null;
    try {
      sink = store().create(path, options);
    } finally {
      if (sink == null) {
        end(reserved, folders);
      }
    }
    QuotaSink counted = new QuotaSink(sink, path, part, reserved, folders);
    try {
      // Late, so that a store that refuses the file anyway says why.
      counted.reserveFiles(continued ? 1 + folders.number() : 1);
      return counted;
    } catch (FerryException e) {
      try (counted) {
        throw e;
      }
    }
  }

  /** What is made is counted, whether it is published or not. */
  @Override
  public StagedTree stage(StorePath path, boolean replace) throws FerryException {
    return new ForwardingTree(store().stage(path, replace)) {
      @Override
      public FileStore store() {
        return new QuotaStore(super.store(), quotas);
      }
    };
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    MissingFolders folders = parents ? toMake(path) : MissingFolders.NONE;
    long number = parents ? folders.number() : 1;
    QuotaReservation reserved = new QuotaReservation(quotas);
    reserved.addFiles(path, number);
    try {
      store().makeDirectory(path, parents, mode);
      reserved.useFiles(number);
    } finally {
      end(reserved, folders);
    }
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    MissingFolders folders = toMake(path);
    QuotaReservation reserved = new QuotaReservation(quotas);
    reserved.addFiles(path, folders.number());
    try {
      store().makeLink(path, target, replace);
      reserved.useFiles(folders.number());
    } finally {
      end(reserved, folders);
    }
  }

  /**
   * The directories of a path that do not exist.
   *
   * @param lowest the path
   * @param number how many, from 0
   */
  private record MissingFolders(StorePath lowest, long number) {
    static final MissingFolders NONE = new MissingFolders(StorePath.ROOT, 0);
  }

  private MissingFolders toMake(StorePath lowest) throws FerryException {
    // Each folder above is looked for.
    lowest.requireDepth();
    return missing(lowest);
  }

  private MissingFolders missing(StorePath lowest) {
    long number = 0;
    StorePath folder = lowest;
    while (quotas.files() != null && !folder.equals(StorePath.ROOT) && isMissing(folder)) {
      number++;
      folder = folder.parent();
    }
    return new MissingFolders(lowest, number);
  }

  private boolean isMissing(StorePath path) {
    try {
      return !store().exists(path);
    } catch (FerryException e) {
      // The path may be too long for the system, which makes the directories above it all the
      // same. Where nothing is permitted, nothing is made.
      return e.kind() != ErrorKind.PERMISSION_DENIED;
    }
  }

  /** Counts the directories that were made and are still there, and gives back all else. */
  private void end(QuotaReservation reserved, MissingFolders folders) {
    if (folders.number() > 0) {
      reserved.useFiles(folders.number() - missing(folders.lowest()).number());
    }
    reserved.giveBack();
  }

  private final class QuotaSink extends ForwardingSink {
    private final StorePath path;
    private final QuotaReservation reserved;
    private final MissingFolders folders;
    private final long begin;

    /** The upload that can be continued; null if there is none. */
    private final @Nullable UploadId kept;

    private boolean refused;

    QuotaSink(
        FileSink sink,
        StorePath path,
        @Nullable UploadPart part,
        QuotaReservation reserved,
        MissingFolders folders) {
      super(sink);
      this.path = path;
      this.reserved = reserved;
      this.folders = folders;
      this.begin = sink.written();
      this.kept = part != null && sink.isKept() ? part.id() : null;
      if (kept != null) {
        takeOver(kept);
      }
    }

    /** A request that received the same upload can do so no longer. It may not know this yet. */
    private void takeOver(UploadId id) {
      QuotaReservation former = quotas.continued().put(id, reserved);
      if (former != null) {
        former.giveBack();
      }
    }

    void reserveFiles(long number) throws FerryException {
      refused = true;
      reserved.addFiles(path, number);
      refused = false;
    }

    @Override
    public void expect(long size) throws FerryException {
      refused = true;
      reserved.addBytes(path, Math.max(0, size - begin));
      refused = false;
      super.expect(size);
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      count(source.remaining());
      super.write(source);
    }

    @Override
    public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
      long bytes = 0;
      for (int i = offset; i < offset + count; i++) {
        bytes += sources[i].remaining();
      }
      count(bytes);
      super.write(sources, offset, count);
    }

    private void count(long bytes) throws FerryException {
      refused = true;
      reserved.useBytes(path, bytes, written() - begin);
      refused = false;
    }

    @Override
    public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
        throws FerryException {
      FileFacts facts = super.commit(expectedSize, expectedDigest);
      reserved.useFiles(1 + folders.number());
      reserved.giveBack();
      return facts;
    }

    @Override
    public void close() throws FerryException {
      boolean last = kept != null && quotas.continued().remove(kept, reserved);
      try {
        super.close();
        // What earlier requests have sent of it stays, and what a later one goes on with.
        if (refused && last && begin == 0) {
          cancel(Objects.requireNonNull(kept));
        }
      } finally {
        end(reserved, folders);
      }
    }

    private void cancel(UploadId id) throws FerryException {
      try {
        store().cancelUpload(id);
      } catch (FerryException e) {
        if (e.kind() != ErrorKind.NOT_FOUND) {
          throw e;
        }
        // Someone else has cancelled it.
      }
    }
  }
}
