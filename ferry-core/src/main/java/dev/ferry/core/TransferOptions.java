package dev.ferry.core;

import dev.ferry.core.upload.UploadPart;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of one transfer.
 *
 * @param chunkSize payload bytes of one message or one copy, from {@value #MIN_CHUNK} to {@value
 *     #MAX_CHUNK}; at most {@link RateLimit#chunkSize} if there is a rate limit
 * @param compression how the file is compressed in transit; null means no compression
 * @param digest what both ends compute of the file and compare; null means that they compare no
 *     digests
 * @param verifyDisk whether the file of a download is read again before it is renamed, see {@link
 *     SinkOptions#verifyDisk}
 * @param create the conditions for the new file at the receiver: whether it may replace one, and
 *     whether missing parent directories are created; and the upload that is begun or continued.
 *     The other conditions are not sent to a server
 * @param keepTimes whether the new file has the modification time of the other one, if that is
 *     known, and not that of its last write
 * @param limits how long the transfer may take
 * @param progress progress callback
 * @param rateLimit limits the bytes per second of this transfer and of all others that have the
 *     same object; null means no limit
 */
public record TransferOptions(
    int chunkSize,
    @Nullable Compression compression,
    Digest.@Nullable Algorithm digest,
    boolean verifyDisk,
    CreateOptions create,
    boolean keepTimes,
    CallLimits limits,
    Progress progress,
    @Nullable RateLimit rateLimit) {
  /** Minimum chunk size in bytes. */
  public static final int MIN_CHUNK = 1;

  /**
   * Maximum chunk size in bytes. With its headers, a chunk stays under 1 MiB, so that the sender
   * needs one buffer for it, and under the 4 MiB that gRPC peers accept by default.
   */
  public static final int MAX_CHUNK = 1024 * 1024 - 64;

  /** Chunks of 256 KiB, no compression, CRC-32C, times kept, a stall timeout of one minute. */
  public static final TransferOptions DEFAULT =
      new TransferOptions(
          256 * 1024,
          null,
          Digest.Algorithm.CRC32C,
          false,
          CreateOptions.DEFAULT,
          true,
          CallLimits.DEFAULT,
          Progress.NONE,
          null);

  public TransferOptions {
    if (rateLimit != null) {
      chunkSize = Math.min(chunkSize, rateLimit.chunkSize());
    }
    if (chunkSize < MIN_CHUNK || chunkSize > MAX_CHUNK) {
      throw new IllegalArgumentException(
          "chunk size " + chunkSize + " is not from " + MIN_CHUNK + " to " + MAX_CHUNK);
    }
  }

  /**
   * Callback for the progress of a transfer. It runs on the thread that moves the bytes and must
   * not block.
   *
   * <p>Called once when the total is known, and then as bytes arrive or leave.
   */
  @FunctionalInterface
  public interface Progress {
    /** Does nothing. */
    Progress NONE = (done, total) -> {};

    /**
     * Reports that {@code done} of {@code total} bytes of the unencoded file have been transferred.
     * A negative total is unknown.
     */
    void update(long done, long total);
  }

  /** Maximum duration of the transfer; null means no limit. */
  public @Nullable Duration timeout() {
    return limits.timeout();
  }

  /** Options for receiving a file of which the server has said nothing yet. */
  public SinkOptions sink() {
    return SinkOptions.DEFAULT.withCreate(create).withVerifyDisk(verifyDisk);
  }

  /**
   * Options for receiving the file of a download.
   *
   * @param facts what the server says of it
   */
  public SinkOptions sink(FileFacts facts) {
    boolean dated = keepTimes && !facts.lastModified().equals(FileFacts.UNKNOWN_TIME);
    return sink()
        .withCreate(
            create.withMode(mode(facts)).withLastModified(dated ? facts.lastModified() : null));
  }

  /**
   * Returns what the receiver is told of a file that is uploaded.
   *
   * @param facts of the local file
   */
  public FileFacts sent(FileFacts facts) {
    FileFacts sent = facts.withMode(mode(facts));
    return keepTimes ? sent : sent.withLastModified(FileFacts.UNKNOWN_TIME);
  }

  private @Nullable Integer mode(FileFacts source) {
    return create.mode() == null ? source.mode() : create.mode();
  }

  public TransferOptions withChunkSize(int value) {
    return new TransferOptions(
        value, compression, digest, verifyDisk, create, keepTimes, limits, progress, rateLimit);
  }

  /** Whether the file is compressed with gzip, at any level. */
  public boolean gzip() {
    return compression != null && compression.format() == Compression.Format.GZIP;
  }

  /** Selects {@link Compression#GZIP} or no compression. */
  public TransferOptions withGzip(boolean value) {
    return withCompression(value ? Compression.GZIP : null);
  }

  public TransferOptions withCompression(@Nullable Compression value) {
    return new TransferOptions(
        chunkSize, value, digest, verifyDisk, create, keepTimes, limits, progress, rateLimit);
  }

  /** Whether both ends compare digests. */
  public boolean verify() {
    return digest != null;
  }

  /** Selects the digest of {@link #DEFAULT} or none. */
  public TransferOptions withVerify(boolean value) {
    return withDigest(value ? DEFAULT.digest : null);
  }

  public TransferOptions withDigest(Digest.@Nullable Algorithm value) {
    return new TransferOptions(
        chunkSize, compression, value, verifyDisk, create, keepTimes, limits, progress, rateLimit);
  }

  public TransferOptions withVerifyDisk(boolean value) {
    return new TransferOptions(
        chunkSize, compression, digest, value, create, keepTimes, limits, progress, rateLimit);
  }

  public TransferOptions withCreate(CreateOptions value) {
    return new TransferOptions(
        chunkSize, compression, digest, verifyDisk, value, keepTimes, limits, progress, rateLimit);
  }

  public TransferOptions withCreateOnly(boolean value) {
    return withCreate(create.withCreateOnly(value));
  }

  public TransferOptions withMakeParents(boolean value) {
    return withCreate(create.withMakeParents(value));
  }

  /** Selects the upload to begin or to continue; null for one that cannot be continued. */
  public TransferOptions withUpload(@Nullable UploadPart value) {
    return withCreate(create.withUpload(value));
  }

  public TransferOptions withKeepTimes(boolean value) {
    return new TransferOptions(
        chunkSize, compression, digest, verifyDisk, create, value, limits, progress, rateLimit);
  }

  public TransferOptions withLimits(CallLimits value) {
    return new TransferOptions(
        chunkSize, compression, digest, verifyDisk, create, keepTimes, value, progress, rateLimit);
  }

  public TransferOptions withTimeout(@Nullable Duration value) {
    return withLimits(limits.withTimeout(value));
  }

  public TransferOptions withStallTimeout(Duration value) {
    return withLimits(limits.withStallTimeout(value));
  }

  public TransferOptions withProgress(Progress value) {
    return new TransferOptions(
        chunkSize, compression, digest, verifyDisk, create, keepTimes, limits, value, rateLimit);
  }

  public TransferOptions withRateLimit(@Nullable RateLimit value) {
    return new TransferOptions(
        chunkSize, compression, digest, verifyDisk, create, keepTimes, limits, progress, value);
  }
}
