package dev.ferry.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one file travels.
 *
 * @param chunkSize payload bytes of one message or one copy, from {@value #MIN_CHUNK} to {@value
 *     #MAX_CHUNK}
 * @param compression how the file is compressed on its way; null means not at all
 * @param verify whether both ends compare the file's SHA-256, which costs about a core's second for
 *     each gigabyte
 * @param createOnly whether an upload fails where the server has the file already
 * @param makeParents whether the directories above the new file that are missing are made, at
 *     whichever end that is; otherwise they are an error, {@link ErrorKind#NOT_FOUND}
 * @param timeout longest time the transfer may take; null means any
 * @param stallTimeout longest time without a byte while bytes are due; zero means any. Time in
 *     which an end computes a digest does not count
 * @param progress hears how far it got
 */
public record TransferOptions(
    int chunkSize,
    @Nullable Compression compression,
    boolean verify,
    boolean createOnly,
    boolean makeParents,
    @Nullable Duration timeout,
    Duration stallTimeout,
    Progress progress) {
  /** Smallest chunk, in bytes. */
  public static final int MIN_CHUNK = 1;

  /**
   * Largest chunk, in bytes: with its headers it stays under a mebibyte, so that the sender needs
   * one buffer for it, and far under the 4 MiB that gRPC peers accept.
   */
  public static final int MAX_CHUNK = 1024 * 1024 - 64;

  /** Chunk of 256 KiB, uncompressed, verified. */
  public static final TransferOptions DEFAULT =
      new TransferOptions(
          256 * 1024, null, true, false, false, null, Duration.ofMinutes(1), Progress.NONE);

  public TransferOptions {
    if (chunkSize < MIN_CHUNK || chunkSize > MAX_CHUNK) {
      throw new IllegalArgumentException(
          "chunk size " + chunkSize + " is not from " + MIN_CHUNK + " to " + MAX_CHUNK);
    }
    if (stallTimeout.isNegative()) {
      throw new IllegalArgumentException("stall timeout " + stallTimeout + " is negative");
    }
  }

  /**
   * Hears of a transfer's progress, on whatever thread moves the bytes; must not block.
   *
   * <p>Called once with the total when it is known and then as bytes arrive or leave.
   */
  @FunctionalInterface
  public interface Progress {
    /** Hears nothing. */
    Progress NONE = (done, total) -> {};

    /**
     * So far {@code done} of {@code total} bytes of the unencoded file have passed; a negative
     * total is unknown.
     */
    void update(long done, long total);
  }

  /** What a server is asked to mind when it names an upload. */
  public CreateOptions create() {
    return new CreateOptions(createOnly, makeParents);
  }

  /** How a download is received. */
  public SinkOptions sink() {
    return SinkOptions.DEFAULT.withCreate(CreateOptions.DEFAULT.withMakeParents(makeParents));
  }

  public TransferOptions withChunkSize(int value) {
    return new TransferOptions(
        value, compression, verify, createOnly, makeParents, timeout, stallTimeout, progress);
  }

  /** Whether the file travels as gzip, of whatever level. */
  public boolean gzip() {
    return compression != null && compression.format() == Compression.Format.GZIP;
  }

  /** With {@link Compression#GZIP}, or without compression. */
  public TransferOptions withGzip(boolean value) {
    return withCompression(value ? Compression.GZIP : null);
  }

  public TransferOptions withCompression(@Nullable Compression value) {
    return new TransferOptions(
        chunkSize, value, verify, createOnly, makeParents, timeout, stallTimeout, progress);
  }

  public TransferOptions withVerify(boolean value) {
    return new TransferOptions(
        chunkSize, compression, value, createOnly, makeParents, timeout, stallTimeout, progress);
  }

  public TransferOptions withCreateOnly(boolean value) {
    return new TransferOptions(
        chunkSize, compression, verify, value, makeParents, timeout, stallTimeout, progress);
  }

  public TransferOptions withMakeParents(boolean value) {
    return new TransferOptions(
        chunkSize, compression, verify, createOnly, value, timeout, stallTimeout, progress);
  }

  public TransferOptions withTimeout(@Nullable Duration value) {
    return new TransferOptions(
        chunkSize, compression, verify, createOnly, makeParents, value, stallTimeout, progress);
  }

  public TransferOptions withStallTimeout(Duration value) {
    return new TransferOptions(
        chunkSize, compression, verify, createOnly, makeParents, timeout, value, progress);
  }

  public TransferOptions withProgress(Progress value) {
    return new TransferOptions(
        chunkSize, compression, verify, createOnly, makeParents, timeout, stallTimeout, value);
  }
}
