package dev.ferry.s3;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The uploads of a store. What is needed to go on with one is in the object store, so that every
 * server can do so, see {@link UploadFolder}. Thread-safe.
 *
 * @param names gives complete files their names
 * @param requests runs requests, which wait for the network
 * @param running the sinks of this server that receive an upload
 * @param completed the last uploads that this server has completed
 */
record Uploads(
    Bucket bucket,
    NewName names,
    Slabs slabs,
    Executor requests,
    ReceiveLimits limits,
    Map<UploadId, ObjectSink> running,
    Map<UploadId, KeptUpload> completed) {
  private static final int MOST_COMPLETED = 10_000;

  Uploads(Bucket bucket, NewName names, Slabs slabs, Executor requests, ReceiveLimits limits) {
    this(
        bucket,
        names,
        slabs,
        requests,
        limits,
        new ConcurrentHashMap<>(),
        Collections.synchronizedMap(
            new LinkedHashMap<>(16, 0.75f, true) {
              private static final long serialVersionUID = 1L;

              @Override
              protected boolean removeEldestEntry(Map.Entry<UploadId, KeptUpload> eldest) {
                return size() > MOST_COMPLETED;
              }
            }));
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
    UploadPart part = create.upload();
    if (part == null) {
      return new ObjectSink(this, path, create, limits);
    }
    stop(part.id());
    if (completed.containsKey(part.id())) {
      throw new FerryException(
          ErrorKind.OFFSET_MISMATCH, path + ": upload " + part.id() + " is complete");
    }
    ObjectSink sink =
        part.offset() == 0 ? new ObjectSink(this, path, create, limits) : goOn(path, create, part);
    if (keeps(part)) {
      running.put(part.id(), sink);
    }
    return sink;
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
          "%s: the upload goes on at byte %d, and not at %d"
              .formatted(path, received, part.offset()));
    }
    byte[] tail = arrival.tail() == null ? null : folder.tail(arrival.tail());
    PartsUpload parts = new PartsUpload(bucket, state, folder, true, slabs, requests);
    return new ObjectSink(this, create, limits, parts, arrival, tail);
  }

  /**
   * Begins to send a file in parts.
   *
   * @param size bytes of the file; negative if they are not known
   */
  PartsUpload begin(StorePath path, CreateOptions create, int partBytes, long size)
      throws FerryException {
    UploadPart part = create.upload();
    // Also of an upload that cannot be continued: the state of a server that was killed leads to
    // the parts that must be deleted.
    UploadFolder folder = UploadFolder.of(bucket, part == null ? UploadId.random() : part.id());
    UploadState former = part == null ? null : folder.state();
    if (former != null) {
      discard(former, folder);
    }
    String uploadId =
        bucket.beginParts(
            bucket.key(path),
            ObjectFacts.metadata(
                create, part == null || part.digest() == null ? List.of() : List.of(part.digest())),
            path.value());
    UploadState state =
        new UploadState(
            path,
            create.withUpload(null),
            uploadId,
            partBytes,
            part == null ? size : part.size(),
            part == null ? null : part.digest(),
            null);
    PartsUpload parts = new PartsUpload(bucket, state, folder, keeps(part), slabs, requests);
    folder.write(state);
    return parts;
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
    if (arrival == null) {
      throw unknown(id);
    }
    return state.kept(arrival.bytes());
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

  /** Discards an upload that cannot be continued. */
  void discard(PartsUpload parts) throws FerryException {
    discard(parts.state(), parts.folder());
  }

  /** Remembers that an upload is complete. */
  void completed(@Nullable UploadPart part, @Nullable PartsUpload parts, FileFacts facts)
      throws FerryException {
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
    if (keeps(part)) {
      parts.folder().write(parts.state().withComplete(facts));
      parts.folder().deleteParts();
    } else {
      parts.folder().delete();
    }
  }

  /** Forgets a sink that was closed. */
  void closed(@Nullable UploadPart part, ObjectSink sink) {
    if (part != null) {
      boolean unused = running.remove(part.id(), sink);
    }
  }

  /** Deletes what has not been continued for too long, of all servers of the store. */
  void expire() throws FerryException {
    Map<String, Instant> last = new HashMap<>();
    String all = bucket.prefix() + UploadFolder.ALL;
    Duration keep = limits.keepPartial();
    bucket.each(
        all,
        "the state of uploads",
        object -> {
          int slash = object.key().indexOf('/', all.length());
          if (slash > 0) {
            last.merge(
                object.key().substring(0, slash + 1),
                object.lastModified(),
                (a, b) -> a.isAfter(b) ? a : b);
          }
        });
    for (Map.Entry<String, Instant> entry : last.entrySet()) {
      if (entry.getValue().plus(keep).isBefore(Instant.now())) {
        UploadFolder folder = new UploadFolder(bucket, entry.getKey());
        UploadState state = folder.state();
        if (state == null) {
          folder.delete();
        } else {
          discard(state, folder);
        }
      }
    }
  }
}
