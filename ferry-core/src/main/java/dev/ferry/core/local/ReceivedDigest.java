package dev.ferry.core.local;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.PartialCrc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The digest of a file that is being received: a CRC-32C of the bytes as they pass, or a SHA-256 of
 * the file, read while it is written. A digest that was not expected is computed from the complete
 * file. One thread at a time.
 */
final class ReceivedDigest implements AutoCloseable {
  private final Path file;
  private final String label;
  private @Nullable CRC32C passing;
  private @Nullable TrailingDigest trailing;
  private @Nullable PartialCrc32c parts;

  /** The first byte that {@link #passing} has. */
  private long start;

  /**
   * @param file the temporary file
   * @param label the name of the file in messages
   */
  ReceivedDigest(Path file, String label) {
    this.file = file;
    this.label = label;
  }

  /**
   * Continues the digest of a file whose first bytes have arrived before.
   *
   * @param start how many
   * @param crc their checksum; null if it is not known, so that they have to be read
   */
  static ReceivedDigest continued(Path file, String label, long start, @Nullable Crc32c crc) {
    ReceivedDigest digest = new ReceivedDigest(file, label);
    digest.start = start;
    if (crc != null && start > 0) {
      digest.addPart(0, start, crc.value());
    }
    return digest;
  }

  /**
   * Starts the computation. Call this before the next byte.
   *
   * @return whether the digest is complete with the last byte
   */
  boolean expect(Digest.Algorithm algorithm, Executor executor) {
    if (algorithm == Digest.Algorithm.SHA256) {
      TrailingDigest sha256 = new TrailingDigest(file, executor);
      sha256.wrote(start);
      trailing = sha256;
      return false;
    }
    boolean known = start == 0 || parts != null;
    passing = known ? new CRC32C() : null;
    return known;
  }

  /** Adds bytes that will be written next. The buffer does not change. */
  void add(ByteBuffer bytes) {
    if (passing != null) {
      int position = bytes.position();
      passing.update(bytes);
      bytes.position(position);
    }
  }

  /** Adds a part of a file that is received in parts. */
  void addPart(long position, long length, int crc) {
    PartialCrc32c known = parts == null ? new PartialCrc32c() : parts;
    known.add(position, length, crc);
    parts = known;
  }

  /** Makes the bytes so far the first part of a file that is received in parts. */
  void keep(long bytes) throws IOException {
    if (passing != null) {
      addPart(start, bytes - start, (int) passing.getValue());
      passing = null;
    }
    close();
    trailing = null;
  }

  /** Reports that the file now has this many bytes. */
  void wrote(long bytes) {
    if (trailing != null) {
      trailing.wrote(bytes);
    }
  }

  /**
   * Compares the digest of the complete file with the announced one.
   *
   * @param size bytes of the file
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH}
   */
  void requireEqual(Digest announced, long size) throws IOException {
    Digest actual = finish(announced.algorithm(), size);
    if (!actual.equals(announced)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%s: %s is %s, %s was announced"
              .formatted(label, announced.algorithm().label(), actual, announced));
    }
  }

  /**
   * Reads the complete file again and compares its digest with that of the transfer.
   *
   * @param compared the digest that was compared; null takes the CRC-32C of the bytes that passed
   * @param size bytes of the file
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH}
   */
  void requireStored(@Nullable Digest compared, long size) throws IOException {
    Digest received = compared == null ? finish(Digest.Algorithm.CRC32C, size) : compared;
    Digest stored = received.algorithm().ofFile(file);
    if (!stored.equals(received)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%s: was not stored as received: %s is %s on the disk, %s was received"
              .formatted(label, received.algorithm().label(), stored, received));
    }
  }

  private Digest finish(Digest.Algorithm algorithm, long size) throws IOException {
    Crc32c crc = algorithm == Digest.Algorithm.CRC32C ? crcOf(size) : null;
    if (crc != null) {
      return crc;
    }
    if (algorithm == Digest.Algorithm.SHA256 && trailing != null) {
      return trailing.finish();
    }
    return algorithm.ofFile(file);
  }

  /** Returns the CRC-32C of this many bytes, which are all that came; null if it is not known. */
  @Nullable Crc32c crcOf(long size) {
    Crc32c combined = parts == null ? null : parts.of(size);
    if (combined != null || passing == null) {
      return combined;
    }
    if (start == 0) {
      return Crc32c.of(passing);
    }
    addPart(start, size - start, (int) passing.getValue());
    return parts == null ? null : parts.of(size);
  }

  /** Ends a running computation. */
  @Override
  public void close() throws IOException {
    if (trailing != null) {
      trailing.close();
    }
  }
}
