package dev.ferry.s3;

import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PartialCrc32c;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file to the object store. A file that fits into one part is stored by one request at the
 * end. A larger one is sent in parts as it arrives; they become a file at the end.
 *
 * <p>{@link #write} waits while the object store is slower than the sender. Another thread may
 * {@link #stop} the sink.
 */
final class ObjectSink implements FileSink {
  private final Uploads uploads;
  private final StorePath path;
  private final CreateOptions create;
  private final ReceiveLimits limits;
  private final PartialCrc32c crc = new PartialCrc32c();

  /** Bytes that had arrived before this sink was opened. */
  private final long begin;

  private final UploadId id;

  /** The id that the object store gave an earlier attempt of the same upload; null if none did. */
  private final @Nullable String former;

  private CRC32C partCrc = new CRC32C();
  private PartSizes sizes;
  private Sha256.@Nullable Running sha256;
  private @Nullable PartsUpload parts;
  private @Nullable ByteBuffer slab;
  private long announced = -1;
  private long written;
  private long partBegin;
  private @Nullable FerryException failure;
  private boolean over;
  private volatile boolean stopped;
  private volatile boolean committing;

  /**
   * Begins a file.
   *
   * @param former the id that the object store gave an earlier attempt of the same upload; null if
   *     none did
   */
  ObjectSink(
      Uploads uploads,
      StorePath path,
      CreateOptions create,
      ReceiveLimits limits,
      @Nullable String former)
      throws FerryException {
    this.uploads = uploads;
    this.path = path;
    this.create = create;
    this.limits = limits;
    this.begin = 0;
    this.former = former;
    UploadPart upload = create.upload();
    this.id = upload == null ? UploadId.random() : upload.id();
    this.sizes = PartSizes.of(upload == null ? -1 : upload.size(), path.value());
  }

  /**
   * Goes on with a file.
   *
   * @param parts the upload, with the parts that have arrived
   * @param arrival what has arrived
   */
  ObjectSink(
      Uploads uploads,
      CreateOptions create,
      ReceiveLimits limits,
      PartsUpload parts,
      UploadFolder.Arrival arrival)
      throws FerryException {
    this.uploads = uploads;
    this.path = parts.state().path();
    this.create = create;
    this.limits = limits;
    this.id = Objects.requireNonNull(create.upload()).id();
    this.former = null;
    this.parts = parts;
    this.sizes = PartSizes.of(parts.state().partBytes());
    for (UploadFolder.Arrived part : arrival.parts()) {
      crc.add(partBegin, part.bytes(), part.crc());
      partBegin += part.bytes();
    }
    parts.add(arrival.parts());
    this.written = partBegin;
    if (arrival.tail() != null) {
      try {
        parts.folder().tail(arrival.tail(), this::add);
      } catch (FerryException | RuntimeException | Error e) {
        // Nobody has the sink to close it.
        giveBack();
        throw e;
      }
    }
    this.begin = written;
  }

  @Override
  public synchronized void expect(long size) throws FerryException {
    announced = size;
    requireSize(size);
    if (parts == null && slab == null) {
      sizes = PartSizes.of(size, path.value());
      if (size > 0) {
        slab = uploads.slabs().admit(slabBytes());
      }
    }
  }

  private void requireSize(long size) throws FerryException {
    if (size > limits.maxFileSize()) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "%s: %,d bytes, the store takes files of %,d at most"
              .formatted(path, size, limits.maxFileSize()));
    }
  }

  @Override
  public synchronized void checkExpansion(long arrived) throws FerryException {
    if (announced < 0) {
      limits.requireExpansion(path.value(), written - begin, arrived);
    }
  }

  @Override
  public synchronized boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
    if (algorithm == Digest.Algorithm.SHA256 && written == 0) {
      sha256 = new Sha256.Running();
    }
    return algorithm == Digest.Algorithm.CRC32C || sha256 != null;
  }

  @Override
  public boolean commitsSlowly() {
    return true;
  }

  @Override
  public boolean isKept() {
    return uploads.keeps(create.upload());
  }

  @Override
  public synchronized long written() {
    return written;
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public synchronized void write(ByteBuffer[] sources, int offset, int count)
      throws FerryException {
    requireOpen();
    long end = written;
    for (int i = offset; i < offset + count; i++) {
      end += sources[i].remaining();
    }
    requireSize(end);
    if (announced >= 0 && end > announced) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, path + ": more than the " + announced + " bytes announced arrived");
    }
    try {
      for (int i = offset; i < offset + count; i++) {
        if (sha256 != null) {
          sha256.add(sources[i].duplicate());
        }
        add(sources[i]);
      }
    } catch (FerryException e) {
      failure = e;
      throw e;
    }
  }

  private void requireOpen() throws FerryException {
    if (stopped) {
      throw new FerryException(
          ErrorKind.CANCELLED, path + ": the upload continues in another request");
    }
    if (over) {
      throw new IllegalStateException(path + ": committed or closed already");
    }
  }

  private void add(ByteBuffer source) throws FerryException {
    while (source.hasRemaining()) {
      ByteBuffer target = slab;
      if (target == null) {
        target = nextSlab();
        slab = target;
      }
      int count = Math.min(source.remaining(), target.remaining());
      ByteBuffer some = source.slice(source.position(), count);
      partCrc.update(some.duplicate());
      target.put(some);
      source.position(source.position() + count);
      written += count;
      if (written - partBegin == sizes.bytes()) {
        send();
      }
    }
  }

  /** Takes a buffer: of the store's memory, or, if there is none left, one of this upload. */
  private ByteBuffer nextSlab() throws FerryException {
    int bytes = slabBytes();
    if (parts != null && !uploads.slabs().has(bytes)) {
      parts.awaitOne();
    }
    return uploads.slabs().take(bytes);
  }

  /** Returns the bytes of the next buffer: those of a part, or of a file that is smaller. */
  private int slabBytes() {
    long rest = announced < 0 ? Long.MAX_VALUE : announced - written;
    return (int) Math.max(1, Math.min(sizes.bytes(), rest));
  }

  /** Sends the bytes that have arrived as a part. */
  private void send() throws FerryException {
    PartsUpload upload = begun();
    ByteBuffer full = slab;
    if (full == null) {
      return;
    }
    int value = addPart();
    int number = (int) ((partBegin - 1) / sizes.bytes()) + 1;
    slab = null;
    if (number > PartSizes.MOST_PARTS) {
      uploads.slabs().give(full);
      throw sizes.tooLarge(path.value());
    }
    upload.send(number, full.flip(), value, sizes.buffers() - 1);
  }

  /** Adds the checksum of the bytes of the slab, which then begin the next part. */
  private int addPart() {
    int value = (int) partCrc.getValue();
    crc.add(partBegin, written - partBegin, value);
    partBegin = written;
    partCrc = new CRC32C();
    return value;
  }

  private PartsUpload begun() throws FerryException {
    PartsUpload upload = parts;
    if (upload == null) {
      upload = uploads.begin(path, create, id, former, sizes.bytes(), announced);
      parts = upload;
    }
    return upload;
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    committing = true;
    try {
      return commitNow(expectedSize, expectedDigest);
    } finally {
      committing = false;
    }
  }

  private synchronized FileFacts commitNow(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    requireOpen();
    try {
      if (expectedSize >= 0 && written != expectedSize) {
        throw new FerryException(
            ErrorKind.INCOMPLETE,
            path + ": " + written + " bytes arrived, " + expectedSize + " were announced");
      }
      FileFacts facts = parts == null ? put(expectedDigest) : complete(expectedDigest);
      over = true;
      giveBack();
      uploads.completed(create.upload(), parts, facts);
      return facts;
    } catch (FerryException e) {
      failure = e;
      throw e;
    }
  }

  private FileFacts put(@Nullable Digest expected) throws FerryException {
    int unused = addPart();
    List<Digest> digests = digests(expected);
    ByteBuffer content = slab == null ? ByteBuffer.allocate(0) : slab.flip();
    String tag =
        uploads.names().put(path, create, id, content, ObjectFacts.metadata(create, id, digests));
    return facts(tag, digests);
  }

  private FileFacts complete(@Nullable Digest expected) throws FerryException {
    PartsUpload upload = begun();
    if (written > partBegin) {
      send();
    }
    upload.await(0);
    List<Digest> digests = digests(expected);
    Digest stated = upload.state().digest();
    if (stated != null && !stated.equals(expected)) {
      requireEqual(stated, digests);
    }
    try {
      String uploadId = upload.state().uploadId();
      return facts(uploads.names().complete(path, create, id, uploadId, upload.parts()), digests);
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.NOT_FOUND ? upload.gone(e) : e;
    }
  }

  /** Returns the digests of the file, after a comparison with the expected one. */
  private List<Digest> digests(@Nullable Digest expected) throws FerryException {
    List<Digest> digests = new ArrayList<>();
    Crc32c computed = crc.of(written);
    if (computed != null) {
      digests.add(computed);
    }
    if (sha256 != null) {
      digests.add(sha256.finish());
      sha256 = null;
    }
    if (expected != null) {
      requireEqual(expected, digests);
    }
    return digests;
  }

  private void requireEqual(Digest expected, List<Digest> digests) throws FerryException {
    for (Digest digest : digests) {
      if (digest.algorithm() == expected.algorithm()) {
        if (digest.equals(expected)) {
          return;
        }
        throw new FerryException(
            ErrorKind.DIGEST_MISMATCH,
            "%s: the %s of the bytes that arrived is %s, and %s was announced"
                .formatted(path, expected.algorithm().label(), digest.toHex(), expected.toHex()));
      }
    }
    throw new FerryException(
        ErrorKind.DIGEST_MISMATCH,
        path
            + ": the "
            + expected.algorithm().label()
            + " of an upload that was resumed cannot be checked in this store; send it again");
  }

  private FileFacts facts(String tag, List<Digest> digests) {
    Instant modified = create.lastModified();
    Instant time = modified == null ? Instant.now().truncatedTo(ChronoUnit.SECONDS) : modified;
    return new FileFacts(path.value(), written, time, false, null)
        .withMode(create.mode())
        .withDigests(digests)
        .withVersion(tag);
  }

  /**
   * Closes the sink for another request, which goes on with the upload.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the file is being committed
   */
  void stop() throws FerryException {
    if (committing) {
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          path + ": has arrived and is being checked; ask again in a moment");
    }
    stopped = true;
    close();
  }

  @Override
  public synchronized void close() throws FerryException {
    if (over) {
      return;
    }
    over = true;
    try {
      settle();
      if (isKept() && (failure == null || !isFinal(failure.kind()))) {
        keep();
      } else if (parts != null) {
        uploads.discard(parts);
      }
    } finally {
      giveBack();
      uploads.closed(create.upload(), this);
    }
  }

  /**
   * Returns whether an upload cannot be continued after this failure of a write or the commit. The
   * client has caused these; after all others it may go on with the upload at another server, which
   * needs what is there.
   */
  private static boolean isFinal(ErrorKind kind) {
    return switch (kind) {
      case ALREADY_EXISTS, VERSION_MISMATCH, TOO_LARGE, DIGEST_MISMATCH, INCOMPLETE -> true;
      default -> false;
    };
  }

  private void settle() throws FerryException {
    try {
      if (parts != null) {
        parts.settle();
      }
    } catch (InterruptedException e) {
      throw FerryException.interrupted(path + ": the server is closing", e);
    }
  }

  /**
   * Keeps the bytes that are too few for a part. If parts are missing before them, they are lost.
   * An upload that goes on at another server is left to it.
   */
  private void keep() throws FerryException {
    if (parts != null && !uploads.isCurrent(id, parts)) {
      uploads.discard(parts);
      return;
    }
    if (failure != null || (parts == null && uploads.isKnown(id))) {
      return;
    }
    ByteBuffer rest = slab;
    UploadPart upload = create.upload();
    if (rest != null && written > partBegin) {
      begun().folder().putTail(partBegin, rest.flip());
    } else if (parts == null && upload != null && !upload.last()) {
      PartsUpload unused = begun();
    }
  }

  private void giveBack() {
    ByteBuffer rest = slab;
    slab = null;
    if (rest != null) {
      uploads.slabs().give(rest);
    }
  }
}
