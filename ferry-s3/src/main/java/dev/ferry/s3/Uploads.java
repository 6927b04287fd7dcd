package dev.ferry.s3;

import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.RecentMap;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * The uploads of a store. What is needed to go on with one is in the object store, so that every
 * server can do so, see {@link UploadFolder}. Thread-safe.
 *
 * @param names gives complete files their names
 * @param slabs what the uploads of one holder may take
 * @param requests runs requests, which wait for the network
 * @param running the sinks of this server that receive an upload
 * @param completed the last uploads that this server has completed
 * @param expired when this server last deleted what has expired, of {@link System#nanoTime}
 */
record Uploads(
    Bucket bucket,
    NewName names,
    Slabs.Share slabs,
    Executor requests,
    ReceiveLimits limits,
    Map<UploadId, ObjectSink> running,
    Map<UploadId, KeptUpload> completed,
    AtomicLong expired) {
  private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);

  private static final int MOST_COMPLETED = 10_000;

  /** What changed later than this may be in use. */
  private static final Duration LEAST_AGE = Duration.ofHours(1);

  private static final long EXPIRE_EACH_NANOS = Duration.ofMinutes(5).toNanos();

  Uploads(
      Bucket bucket, NewName names, Slabs.Share slabs, Executor requests, ReceiveLimits limits) {
    this(
        bucket,
        names,
        slabs,
        requests,
        limits,
        new ConcurrentHashMap<>(),
        Collections.synchronizedMap(new RecentMap<>(MOST_COMPLETED)),
        new AtomicLong(System.nanoTime() - EXPIRE_EACH_NANOS));
  }

  /** Returns the same uploads with the share of a holder. */
  Uploads with(Slabs.Share share) {
    return new Uploads(bucket, names, share, requests, limits, running, completed, expired);
  }

  private static FerryException unknown(UploadId id) {
    return new FerryException(ErrorKind.NOT_FOUND, "upload " + id + ": not known, or expired");
  }

  /** Returns whether an upload that is cut can be continued. */
  boolean keeps(@Nullable UploadPart part) {
    return part != null
        && !limits.keepPartial().isZero()
        && (part.size() < 0 || part.size() > PartSizes.USUAL || !part.last());
  }

  /** Begins an upload, or goes on with it. */
  FileSink create(StorePath path, CreateOptions create) throws FerryException {
    expireSometimes();
    UploadPart part = create.upload();
    if (part == null) {
      return new ObjectSink(this, path, create, limits, null);
    }
    stop(part.id());
    if (completed.containsKey(part.id())) {
      throw new FerryException(
          ErrorKind.OFFSET_MISMATCH, path + ": upload " + part.id() + " is complete");
    }
    ObjectSink sink = part.offset() == 0 ? anew(path, create, part) : goOn(path, create, part);
    if (keeps(part)) {
      running.put(part.id(), sink);
    }
    return sink;
  }

  private ObjectSink anew(StorePath path, CreateOptions create, UploadPart part)
      throws FerryException {
    UploadState state = keeps(part) ? UploadFolder.of(bucket, part.id()).state() : null;
    return new ObjectSink(this, path, create, limits, state == null ? null : state.uploadId());
  }

  private ObjectSink goOn(StorePath path, CreateOptions create, UploadPart part)
      throws FerryException {
    UploadFolder folder = UploadFolder.of(bucket, part.id());
    UploadState state = folder.state();
    if (state == null) {
      throw unknown(part.id());
    }
    if (!path.equals(state.path()) || part.size() != state.size()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "%s: upload %s is of another file or size; choose another id".formatted(path, part.id()));
    }
    UploadFolder.Arrival arrival = state.complete() == null ? folder.arrival(state) : null;
    long received = arrival == null ? state.size() : arrival.bytes();
    if (arrival == null || received != part.offset()) {
      throw new FerryException(
          ErrorKind.OFFSET_MISMATCH,
          "%s: the upload continues at byte %d, not at %d"
              .formatted(path, received, part.offset()));
    }
    PartsUpload parts = new PartsUpload(bucket, state, folder, slabs, requests);
    return new ObjectSink(this, create, limits, parts, arrival);
  }

  /**
   * Begins to send a file in parts.
   *
   * @param former the id that the object store gave an earlier attempt, whose parts are discarded;
   *     null if none did
   * @param size bytes of the file; negative if they are not known
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if another server has begun the same
   *     upload meanwhile
   */
  PartsUpload begin(
      StorePath path,
      CreateOptions create,
      UploadId id,
      @Nullable String former,
      int partBytes,
      long size)
      throws FerryException {
    UploadPart part = create.upload();
    UploadFolder folder = UploadFolder.of(bucket, id);
    UploadState known = part == null ? null : folder.state();
    if (known != null && !known.uploadId().equals(former)) {
      throw new FerryException(
              ErrorKind.UNAVAILABLE, path + ": another server continues the upload")
          .withRetryAfter(Duration.ZERO);
    }
    if (known != null) {
      discard(known, folder);
    }
    Digest digest = part == null ? null : part.digest();
    String uploadId =
        bucket.beginParts(
            bucket.key(path),
            // The checksum is compared at the end in any case, and SHA-256 may not be.
            ObjectFacts.metadata(
                create, id, digest instanceof Crc32c ? List.of(digest) : List.of()),
            path.value());
    UploadState state =
        new UploadState(
            path,
            create.withUpload(null),
            uploadId,
            partBytes,
            part == null ? size : part.size(),
            digest,
            null);
    PartsUpload parts = new PartsUpload(bucket, state, folder, slabs, requests);
    try {
      // Also of an upload that cannot be continued: the state of a server that was killed leads to
      // the parts that must be deleted.
      folder.write(state);
      return parts;
    } catch (FerryException e) {
      bucket.abortParts(bucket.key(path), uploadId, path.value());
      throw e;
    }
  }

  /** Returns whether the object store has the state of an upload. */
  boolean isKnown(UploadId id) throws FerryException {
    return UploadFolder.of(bucket, id).state() != null;
  }

  /** Returns whether no other server has begun the same upload anew, or completed it. */
  boolean isCurrent(UploadId id, PartsUpload parts) throws FerryException {
    UploadState now = UploadFolder.of(bucket, id).state();
    return now != null && now.complete() == null && now.uploadId().equals(parts.state().uploadId());
  }

  /** Returns what is known of an upload. A sink of this server that receives it is closed. */
  KeptUpload status(UploadId id) throws FerryException {
    stop(id);
    KeptUpload done = completed.get(id);
    if (done != null) {
      return done;
    }
    UploadFolder folder = UploadFolder.of(bucket, id);
    UploadState state = folder.state();
    if (state == null) {
      throw unknown(id);
    }
    FileFacts complete = state.complete();
    if (complete != null) {
      return state.kept(complete.size());
    }
    UploadFolder.Arrival arrival = folder.arrival(state);
    if (arrival != null) {
      return state.kept(arrival.bytes());
    }
    // A server may have been killed after it had completed the upload.
    HeadObjectResponse head = bucket.head(bucket.key(state.path()), state.path().value());
    if (head == null || !ObjectFacts.isOf(head, id)) {
      throw unknown(id);
    }
    FileFacts facts = ObjectFacts.of(state.path().value(), head);
    return state.withComplete(facts).kept(facts.size());
  }

  private void stop(UploadId id) throws FerryException {
    ObjectSink sink = running.get(id);
    if (sink != null) {
      sink.stop();
    }
  }

  /** Discards an upload. The file of a complete one stays. */
  void cancel(UploadId id) throws FerryException {
    stop(id);
    boolean known = completed.remove(id) != null;
    UploadFolder folder = UploadFolder.of(bucket, id);
    UploadState state = folder.state();
    if (state == null) {
      if (!known) {
        throw unknown(id);
      }
      return;
    }
    discard(state, folder);
  }

  private void discard(UploadState state, UploadFolder folder) throws FerryException {
    if (state.complete() == null) {
      bucket.abortParts(bucket.key(state.path()), state.uploadId(), state.path().value());
    }
    folder.delete();
  }

  /** Discards an upload that cannot be continued, and no other attempt of the same one. */
  void discard(PartsUpload parts) throws FerryException {
    UploadState own = parts.state();
    UploadState now = parts.folder().state();
    bucket.abortParts(bucket.key(own.path()), own.uploadId(), own.path().value());
    if (now == null || (now.complete() == null && now.uploadId().equals(own.uploadId()))) {
      parts.folder().delete();
    }
  }

  /** Remembers that an upload is complete. */
  void completed(@Nullable UploadPart part, @Nullable PartsUpload parts, FileFacts facts) {
    if (part != null) {
      running.remove(part.id());
      completed.put(
          part.id(),
          new KeptUpload(
              new StorePath(facts.name()),
              CreateOptions.DEFAULT,
              facts.size(),
              null,
              new UploadStatus(facts.size(), facts)));
    }
    if (parts == null) {
      return;
    }
    try {
      if (keeps(part)) {
        parts.folder().write(parts.state().withComplete(facts));
        parts.folder().deleteParts();
      } else {
        parts.folder().delete();
      }
    } catch (FerryException e) {
      // The file is stored. What is left of its upload expires.
      LOG.warn("the state of the upload of {} is left: {}", facts.name(), e.toString());
    }
  }

  /** Forgets a sink that was closed. */
  void closed(@Nullable UploadPart part, ObjectSink sink) {
    if (part != null) {
      boolean unused = running.remove(part.id(), sink);
    }
  }

  /** Deletes what has expired beside the uploads, which need not wait for it. */
  private void expireSometimes() {
    long last = expired.get();
    long now = System.nanoTime();
    if (now - last < EXPIRE_EACH_NANOS || !expired.compareAndSet(last, now)) {
      return;
    }
    try {
      requests.execute(
          () -> {
            try {
              expire();
            } catch (FerryException e) {
              LOG.warn("expired uploads stay for now: {}", e.toString());
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("the server is closing, expired uploads stay", e);
    }
  }

  /** Deletes what has not been continued for too long, of all servers of the store. */
  void expire() throws FerryException {
    expired.set(System.nanoTime());
    Map<String, Instant> last = new HashMap<>();
    String all = bucket.prefix() + UploadFolder.ALL;
    bucket.each(
        all,
        "the state of uploads",
        object -> {
          int slash = object.key().indexOf('/', all.length());
          last.merge(
              slash > 0 ? object.key().substring(0, slash + 1) : object.key(),
              object.lastModified(),
              (a, b) -> a.isAfter(b) ? a : b);
        });
    for (Map.Entry<String, Instant> entry : last.entrySet()) {
      try {
        expire(entry.getKey(), Duration.between(entry.getValue(), Instant.now()));
      } catch (FerryException e) {
        // The next time deletes it.
        LOG.warn("an expired upload is left: {}", e.toString());
      }
    }
  }

  /**
   * @param key of an upload's folder, which ends with a slash, or of an object of {@link NewName}
   * @param age the time since its last change
   */
  private void expire(String key, Duration age) throws FerryException {
    if (!key.endsWith("/")) {
      if (age.compareTo(LEAST_AGE) > 0) {
        bucket.delete(key, "a lock");
      }
      return;
    }
    UploadFolder folder = new UploadFolder(bucket, key);
    boolean old = age.compareTo(limits.keepPartial()) > 0;
    UploadState state = old ? folder.state() : null;
    // One that is not kept may be running, and each part takes a while.
    if (state != null && state.complete() == null && limits.keepPartial().isZero()) {
      old = age.compareTo(LEAST_AGE) > 0;
    }
    if (old && state != null) {
      discard(state, folder);
    } else if (old) {
      folder.delete();
    }
  }
}
