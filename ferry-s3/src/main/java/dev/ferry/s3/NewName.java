package dev.ferry.s3;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.UploadId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Gives complete files their names, under the conditions of their creation. Thread-safe.
 *
 * <p>S3 decides conditions together with the write: {@code If-None-Match: *} and {@code If-Match}.
 * Some stores ignore them, for instance Ceph 16 when an upload in parts is completed. This class
 * finds out. Where they are ignored, it takes a lock, an object that is created under the first
 * condition, and asks for the object before it is written. Servers of Ferry then do not replace
 * each other's files, if both write under a condition. A write without one, or by another program,
 * at this moment is not seen. If the store decides no condition at all, only the writes of one
 * server exclude each other.
 */
final class NewName {
  private static final Logger LOG = LoggerFactory.getLogger(NewName.class);

  private static final String PROBE = UploadFolder.ALL + "probe-";
  private static final String LOCK = UploadFolder.ALL + "lock-";
  private static final String NONE = "*";

  /** The entity tag of no object. */
  private static final String OTHER = "00000000000000000000000000000000";

  private static final String PROBING = "a probe of conditions";

  /** How long a server may need between the lock and the write. A lock that is older is free. */
  private static final Duration LOCK_TIME = Duration.ofMinutes(15);

  private static final Duration LOCK_WAIT = Duration.ofMillis(50);
  private static final int LOCK_ATTEMPTS = 200;

  private static final int LOCAL_LOCKS = 64;

  private final Bucket bucket;
  private final Semaphore[] locks = new Semaphore[LOCAL_LOCKS];
  private @Nullable Boolean decidesPuts;
  private @Nullable Boolean decidesCompletions;

  NewName(Bucket bucket) {
    this.bucket = bucket;
    Arrays.setAll(locks, i -> new Semaphore(1));
  }

  /** A write that may fail because a condition does not hold. */
  @FunctionalInterface
  private interface Write {
    String run(@Nullable String ifNoneMatch, @Nullable String ifMatch) throws FerryException;
  }

  private static boolean isConditional(CreateOptions create) {
    return create.createOnly() || create.replaced() != null;
  }

  /**
   * Stores a whole file with one request.
   *
   * @param id of the upload; an object of the same one may be replaced
   * @return its entity tag
   */
  String put(
      StorePath path,
      CreateOptions create,
      UploadId id,
      ByteBuffer content,
      Map<String, String> metadata)
      throws FerryException {
    boolean decides = isConditional(create) && decidesPuts();
    return write(
        path,
        create,
        id,
        decides,
        // A completion that looks before it writes must not be followed by a put in between.
        decides && decidesCompletions(),
        (none, match) ->
            bucket.put(
                bucket.key(path),
                content,
                r -> r.metadata(metadata).ifNoneMatch(none).ifMatch(match)));
  }

  /**
   * Makes the parts of an upload a file.
   *
   * @return its entity tag
   */
  String complete(
      StorePath path, CreateOptions create, UploadId id, String uploadId, List<CompletedPart> parts)
      throws FerryException {
    boolean decides = isConditional(create) && decidesCompletions();
    String tag =
        write(
            path,
            create,
            id,
            decides,
            decides,
            (none, match) -> bucket.completeParts(bucket.key(path), uploadId, parts, none, match));
    if (!tag.isEmpty()) {
      return tag;
    }
    // Ceph 16 does not say it.
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    return head == null ? "" : Bucket.unquoted(head.eTag());
  }

  /** Makes a copy of an object. */
  @FunctionalInterface
  interface Copy {
    /**
     * Copies the object.
     *
     * @param ifNoneMatch {@code *} if the name must be free; not every store decides it
     * @param ifMatch the entity tag that an object of the name must have; not every store decides
     *     it
     */
    void run(@Nullable String ifNoneMatch, @Nullable String ifMatch) throws FerryException;
  }

  /** Copies an object to a name, under the conditions of the options. */
  void copy(StorePath path, CreateOptions create, Copy copy) throws FerryException {
    String unused =
        write(
            path,
            create,
            UploadId.random(),
            // Stores that do not know If-Match may refuse it.
            create.replaced() == null || decidesPuts(),
            false,
            (none, match) -> {
              copy.run(none, match);
              return "";
            });
  }

  /**
   * @param passes whether the conditions are part of the write
   * @param decides whether the store decides them together with all other writes
   */
  private String write(
      StorePath path,
      CreateOptions create,
      UploadId id,
      boolean passes,
      boolean decides,
      Write write)
      throws FerryException {
    String none = passes && create.createOnly() ? NONE : null;
    String match = passes ? create.replaced() : null;
    if (!isConditional(create) || decides) {
      return run(path, create, id, write, none, match);
    }
    Semaphore local = locks[Math.floorMod(path.value().hashCode(), locks.length)];
    local.acquireUninterruptibly();
    String lock = bucket.prefix() + LOCK + HexFormat.of().toHexDigits(path.value().hashCode());
    boolean locked = false;
    try {
      locked = lock(lock, path);
      require(path, create, id);
      return run(path, create, id, write, none, match);
    } finally {
      local.release();
      if (locked) {
        unlock(lock, path);
      }
    }
  }

  private void unlock(String lock, StorePath path) {
    try {
      bucket.delete(lock, path.value());
    } catch (FerryException e) {
      // The file is stored, or the failure is known. The lock becomes free after its time.
      LOG.warn("the lock of {} could not be deleted: {}", path, e.toString());
    }
  }

  private String run(
      StorePath path,
      CreateOptions create,
      UploadId id,
      Write write,
      @Nullable String ifNoneMatch,
      @Nullable String ifMatch)
      throws FerryException {
    try {
      return write.run(ifNoneMatch, ifMatch);
    } catch (SdkException e) {
      boolean gone = S3Failures.status(e) == S3Failures.NOT_FOUND;
      boolean refused = isRefusal(e) || (gone && !S3Failures.isUnknownUpload(e));
      boolean conditional = ifNoneMatch != null || ifMatch != null;
      // The response to the first attempt may have been lost, or another server was faster for the
      // same client.
      String stored = gone || isRefusal(e) ? stored(path, id) : null;
      if (stored != null) {
        return stored;
      }
      if (refused && conditional) {
        throw create.createOnly() ? exists(path) : changed(path);
      }
      throw S3Failures.of(e, path.value());
    }
  }

  /** Checks the conditions before a write. */
  void require(StorePath path, CreateOptions create, UploadId id) throws FerryException {
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    boolean own = head != null && ObjectFacts.isOf(head, id);
    if (create.createOnly() && head != null && !own) {
      throw exists(path);
    }
    String replaced = create.replaced();
    if (replaced != null
        && !own
        && (head == null || !replaced.equals(Bucket.unquoted(head.eTag())))) {
      throw changed(path);
    }
  }

  /** Returns the entity tag of the file that an upload has stored; null if it has not. */
  private @Nullable String stored(StorePath path, UploadId id) throws FerryException {
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    return head != null && ObjectFacts.isOf(head, id) ? Bucket.unquoted(head.eTag()) : null;
  }

  static FerryException exists(StorePath path) {
    return new FerryException(ErrorKind.ALREADY_EXISTS, path + ": already exists");
  }

  private static FerryException changed(StorePath path) {
    return new FerryException(
        ErrorKind.VERSION_MISMATCH, path + ": has another version than the one to replace");
  }

  /** Returns whether there is a lock to delete; without one, only this server excludes itself. */
  private boolean lock(String lock, StorePath path) throws FerryException {
    if (!decidesPuts()) {
      return false;
    }
    for (int i = 0; i < LOCK_ATTEMPTS; i++) {
      if (created(lock, path)) {
        return true;
      }
      HeadObjectResponse held = bucket.head(lock, path.value());
      if (held != null && held.lastModified().plus(LOCK_TIME).isBefore(Instant.now())) {
        bucket.delete(lock, path.value());
        continue;
      }
      try {
        Thread.sleep(LOCK_WAIT.toMillis());
      } catch (InterruptedException e) {
        throw FerryException.interrupted(path + ": the server is closing", e);
      }
    }
    throw busy(path);
  }

  static FerryException busy(StorePath path) {
    return new FerryException(
            ErrorKind.OVERLOADED, path + ": another server writes this name; try again")
        .withRetryAfter(Duration.ofSeconds(1));
  }

  /** Creates an empty object; returns false if there is one already. */
  private boolean created(String key, StorePath path) throws FerryException {
    try {
      String unused = bucket.put(key, ByteBuffer.allocate(0), r -> r.ifNoneMatch(NONE));
      return true;
    } catch (SdkException e) {
      if (isRefusal(e)) {
        return false;
      }
      throw S3Failures.of(e, path.value());
    }
  }

  /** Returns whether a condition does not hold, or another write is under way. */
  static boolean isRefusal(SdkException e) {
    int status = S3Failures.status(e);
    return status == S3Failures.PRECONDITION_FAILED || status == S3Failures.CONFLICT;
  }

  /** Returns whether the store decides both conditions of a put. Asks it once. */
  private synchronized boolean decidesPuts() throws FerryException {
    if (decidesPuts == null) {
      decidesPuts =
          refuses(key -> probePut(key, NONE, null)) && refuses(key -> probePut(key, null, OTHER));
    }
    return decidesPuts;
  }

  private void probePut(String key, @Nullable String ifNoneMatch, @Nullable String ifMatch) {
    String unused =
        bucket.put(key, ByteBuffer.allocate(0), r -> r.ifNoneMatch(ifNoneMatch).ifMatch(ifMatch));
  }

  /** Returns whether the store decides both conditions of a completion. Asks it once. */
  private synchronized boolean decidesCompletions() throws FerryException {
    if (decidesCompletions == null) {
      decidesCompletions =
          refuses(key -> probeCompletion(key, NONE, null))
              && refuses(key -> probeCompletion(key, null, OTHER));
    }
    return decidesCompletions;
  }

  private void probeCompletion(String key, @Nullable String ifNoneMatch, @Nullable String ifMatch)
      throws FerryException {
    String upload = bucket.beginParts(key, Map.of(), PROBING);
    try {
      String tag = bucket.putPart(key, upload, 1, ByteBuffer.allocate(1), PROBING);
      CompletedPart part = CompletedPart.builder().partNumber(1).eTag(tag).build();
      String unused = bucket.completeParts(key, upload, List.of(part), ifNoneMatch, ifMatch);
    } catch (SdkException | FerryException e) {
      bucket.abortParts(key, upload, PROBING);
      throw e;
    }
  }

  /** Writes an object whose name must be free. */
  @FunctionalInterface
  private interface Probe {
    void write(String key) throws FerryException;
  }

  private boolean refuses(Probe probe) throws FerryException {
    String key =
        bucket.prefix()
            + PROBE
            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    bucket.put(key, new byte[0], PROBING);
    try {
      probe.write(key);
      return false;
    } catch (SdkException e) {
      if (isRefusal(e)) {
        return true;
      }
      if (S3Failures.status(e) == S3Failures.NOT_IMPLEMENTED) {
        return false;
      }
      throw S3Failures.of(e, PROBING);
    } finally {
      bucket.delete(key, PROBING);
    }
  }
}
