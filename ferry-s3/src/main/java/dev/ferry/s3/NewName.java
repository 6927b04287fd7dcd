package dev.ferry.s3;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Gives complete files their names, under the conditions of their creation. Thread-safe.
 *
 * <p>S3 decides conditions together with the write: {@code If-None-Match: *} and {@code If-Match}.
 * Some stores ignore them, for instance Ceph 16 when an upload in parts is completed. This class
 * finds out. Where they are ignored, it takes a lock, an object that is created under the first
 * condition, and asks for the object before it is written. Servers of Ferry then never replace each
 * other's files by mistake. Another program that writes the same name at this moment is not seen.
 */
final class NewName {
  private static final String PROBE = UploadFolder.ALL + "probe-";
  private static final String LOCK = UploadFolder.ALL + "lock-";
  private static final String NONE = "*";

  /** How long a server may need between the lock and the write. A lock that is older is free. */
  private static final Duration LOCK_TIME = Duration.ofMinutes(2);

  private static final Duration LOCK_WAIT = Duration.ofMillis(50);
  private static final int LOCK_ATTEMPTS = 200;

  private final Bucket bucket;
  private @Nullable Boolean decidesPuts;
  private @Nullable Boolean decidesCompletions;

  NewName(Bucket bucket) {
    this.bucket = bucket;
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
   * @return its entity tag
   */
  String put(StorePath path, CreateOptions create, ByteBuffer content, Map<String, String> metadata)
      throws FerryException {
    return write(
        path,
        create,
        isConditional(create) && decidesPuts(),
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
  String complete(StorePath path, CreateOptions create, String uploadId, List<CompletedPart> parts)
      throws FerryException {
    String tag =
        write(
            path,
            create,
            isConditional(create) && decidesCompletions(),
            (none, match) -> bucket.completeParts(bucket.key(path), uploadId, parts, none, match));
    if (!tag.isEmpty()) {
      return tag;
    }
    // Ceph 16 does not say it.
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    return head == null ? "" : Bucket.unquoted(head.eTag());
  }

  /** Copies an object to a name that must be free if the options say so. */
  void copy(StorePath path, CreateOptions create, Runnable copy) throws FerryException {
    String unused =
        write(
            path,
            create,
            false,
            (none, match) -> {
              copy.run();
              return "";
            });
  }

  private String write(StorePath path, CreateOptions create, boolean decides, Write write)
      throws FerryException {
    if (!isConditional(create)) {
      return run(path, create, write, null, null);
    }
    if (decides) {
      return run(path, create, write, create.createOnly() ? NONE : null, create.replaced());
    }
    String lock = bucket.prefix() + LOCK + HexFormat.of().toHexDigits(path.value().hashCode());
    lock(lock, path);
    try {
      require(path, create);
      return run(path, create, write, null, null);
    } finally {
      bucket.delete(lock, path.value());
    }
  }

  private static String run(
      StorePath path,
      CreateOptions create,
      Write write,
      @Nullable String ifNoneMatch,
      @Nullable String ifMatch)
      throws FerryException {
    try {
      return write.run(ifNoneMatch, ifMatch);
    } catch (SdkException e) {
      int status = S3Failures.status(e);
      boolean refused =
          status == S3Failures.PRECONDITION_FAILED
              || status == S3Failures.CONFLICT
              || (ifMatch != null && status == S3Failures.NOT_FOUND);
      if (refused && ifNoneMatch != null) {
        throw exists(path);
      }
      if (refused && ifMatch != null) {
        throw changed(path);
      }
      throw S3Failures.of(e, path.value());
    }
  }

  /** Checks the conditions before a write. */
  void require(StorePath path, CreateOptions create) throws FerryException {
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    boolean own =
        head != null && create.upload() != null && ObjectFacts.isOf(head, create.upload());
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
  @Nullable String stored(StorePath path, CreateOptions create) throws FerryException {
    HeadObjectResponse head = bucket.head(bucket.key(path), path.value());
    return head != null && create.upload() != null && ObjectFacts.isOf(head, create.upload())
        ? Bucket.unquoted(head.eTag())
        : null;
  }

  static FerryException exists(StorePath path) {
    return new FerryException(ErrorKind.ALREADY_EXISTS, path + ": already exists");
  }

  private static FerryException changed(StorePath path) {
    return new FerryException(
        ErrorKind.VERSION_MISMATCH, path + ": has another version than the one to replace");
  }

  private void lock(String lock, StorePath path) throws FerryException {
    for (int i = 0; i < LOCK_ATTEMPTS; i++) {
      if (!decidesPuts()) {
        return;
      }
      if (created(lock, path)) {
        return;
      }
      HeadObjectResponse held = bucket.head(lock, path.value());
      if (held != null && held.lastModified().plus(LOCK_TIME).isBefore(Instant.now())) {
        bucket.delete(lock, path.value());
        continue;
      }
      try {
        Thread.sleep(LOCK_WAIT.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FerryException(ErrorKind.CANCELLED, path + ": the server is closing", e);
      }
    }
    throw new FerryException(
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

  private static boolean isRefusal(SdkException e) {
    int status = S3Failures.status(e);
    return status == S3Failures.PRECONDITION_FAILED || status == S3Failures.CONFLICT;
  }

  /** Returns whether the store decides the conditions of a put. Asks it once. */
  private synchronized boolean decidesPuts() throws FerryException {
    if (decidesPuts == null) {
      decidesPuts =
          refuses(
              key -> {
                String unused = bucket.put(key, ByteBuffer.allocate(0), r -> r.ifNoneMatch(NONE));
              });
    }
    return decidesPuts;
  }

  /** Returns whether the store decides the conditions of a completion. Asks it once. */
  private synchronized boolean decidesCompletions() throws FerryException {
    if (decidesCompletions == null) {
      decidesCompletions =
          refuses(
              key -> {
                String label = "a probe of conditions";
                String upload = bucket.beginParts(key, Map.of(), label);
                try {
                  String tag = bucket.putPart(key, upload, 1, ByteBuffer.allocate(1), label);
                  CompletedPart part = CompletedPart.builder().partNumber(1).eTag(tag).build();
                  String unused = bucket.completeParts(key, upload, List.of(part), NONE, null);
                } catch (SdkException e) {
                  bucket.abortParts(key, upload, label);
                  throw e;
                }
              });
    }
    return decidesCompletions;
  }

  /** Writes an object whose name must be free. */
  @FunctionalInterface
  private interface Probe {
    void write(String key) throws FerryException;
  }

  private boolean refuses(Probe probe) throws FerryException {
    String label = "a probe of conditions";
    String key =
        bucket.prefix()
            + PROBE
            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    bucket.put(key, new byte[0], label);
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
      throw S3Failures.of(e, label);
    } finally {
      bucket.delete(key, label);
    }
  }
}
