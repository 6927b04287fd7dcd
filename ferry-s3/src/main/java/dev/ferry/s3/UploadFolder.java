package dev.ferry.s3;

import dev.ferry.core.FerryException;
import dev.ferry.core.internal.UploadNames;
import dev.ferry.core.upload.UploadId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects that keep the state of one upload, so that every server of the store can go on with
 * it. Their keys begin with the id:
 *
 * <ul>
 *   <li>{@code state}: an {@link UploadState};
 *   <li>{@code part-NUMBER-CRC}: an empty object for each part that has arrived, with its CRC-32C,
 *       which the object store does not give back;
 *   <li>{@code tail-POSITION}: bytes behind the last part that are too few for a part.
 * </ul>
 *
 * <p>Thread-safe.
 */
record UploadFolder(Bucket bucket, String key) {
  /** The prefix of all folders. */
  static final String ALL = ".ferry-uploads/";

  private static final String STATE = "state";
  private static final String PART = "part-";
  private static final String TAIL = "tail-";
  private static final int READ_BYTES = 64 * 1024;

  /** A part that has arrived. */
  record Arrived(int number, String tag, long bytes, int crc) {}

  /**
   * What has arrived.
   *
   * @param parts the first parts of the file, without a gap
   * @param bytes bytes of these parts and of the tail
   * @param tail the key of the tail; null if there is none
   */
  record Arrival(List<Arrived> parts, long bytes, @Nullable String tail) {}

  static UploadFolder of(Bucket bucket, UploadId id) {
    return new UploadFolder(bucket, bucket.prefix() + ALL + UploadNames.of(id) + "/");
  }

  private static String label() {
    return "the state of an upload";
  }

  @Nullable UploadState state() throws FerryException {
    byte[] bytes = bucket.get(key + STATE, label());
    return bytes == null ? null : UploadState.of(bytes);
  }

  void write(UploadState state) throws FerryException {
    bucket.put(key + STATE, state.toBytes(), label());
  }

  /** Remembers the checksum of a part that has arrived. */
  void arrived(int number, int crc) throws FerryException {
    bucket.put(key + "%s%05d-%08x".formatted(PART, number, crc), new byte[0], label());
  }

  /** Keeps bytes behind the last part. */
  void putTail(long position, ByteBuffer bytes) throws FerryException {
    String tail = key + TAIL + position;
    String unused = Bucket.call(label(), () -> bucket.put(tail, bytes, r -> {}));
  }

  /** Receives bytes of a tail. */
  @FunctionalInterface
  interface Bytes {
    void add(ByteBuffer some) throws FerryException;
  }

  /** Passes the bytes of a tail on. */
  void tail(String tail, Bytes bytes) throws FerryException {
    try (InputStream stream =
        Bucket.call(
            label(), () -> bucket.client().getObject(r -> r.bucket(bucket.name()).key(tail)))) {
      byte[] some = new byte[READ_BYTES];
      for (int n = stream.read(some); n >= 0; n = stream.read(some)) {
        bytes.add(ByteBuffer.wrap(some, 0, n));
      }
    } catch (FerryException e) {
      throw e;
    } catch (IOException e) {
      throw S3Failures.lost(e, label());
    }
  }

  /** Returns what has arrived; null if the object store does not know the upload. */
  @Nullable Arrival arrival(UploadState state) throws FerryException {
    List<Part> stored =
        bucket.parts(bucket.key(state.path()), state.uploadId(), state.path().value());
    if (stored == null) {
      return null;
    }
    Map<Integer, Integer> crcs = new HashMap<>();
    Map<String, S3Object> tails = new HashMap<>();
    bucket.each(
        key,
        label(),
        object -> {
          String name = object.key().substring(key.length());
          if (name.startsWith(PART)) {
            String[] fields = name.substring(PART.length()).split("-", 2);
            crcs.put(Integer.parseInt(fields[0]), Integer.parseUnsignedInt(fields[1], 16));
          } else if (name.startsWith(TAIL)) {
            tails.put(name.substring(TAIL.length()), object);
          }
        });
    List<Arrived> parts = new ArrayList<>();
    long bytes = 0;
    stored.sort(Comparator.comparing(Part::partNumber));
    for (Part part : stored) {
      Integer crc = crcs.get(part.partNumber());
      // What comes behind a gap, or behind a part that is not as large as all others, is sent
      // again.
      if (part.partNumber() != parts.size() + 1
          || crc == null
          || part.size() != state.partBytes()) {
        break;
      }
      parts.add(new Arrived(part.partNumber(), part.eTag(), part.size(), crc));
      bytes += part.size();
    }
    S3Object tail = tails.get(String.valueOf(bytes));
    return tail == null
        ? new Arrival(parts, bytes, null)
        : new Arrival(parts, bytes + tail.size(), tail.key());
  }

  /** Deletes the objects except the state. */
  void deleteParts() throws FerryException {
    List<String> keys = new ArrayList<>();
    bucket.each(key, label(), object -> keys.add(object.key()));
    keys.remove(key + STATE);
    bucket.deleteAll(keys, label());
  }

  /** Deletes all objects of the upload. */
  void delete() throws FerryException {
    deleteParts();
    bucket.delete(key + STATE, label());
  }
}
