package dev.ferry.cli.client;

import dev.ferry.cli.program.SizeConverter;
import dev.ferry.cli.program.TimeConverter;
import dev.ferry.core.Compression;
import dev.ferry.core.RateLimit;
import dev.ferry.core.TransferOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a transfer. */
public final class TransferFlags {
  /** The option for the maximum time without progress. */
  static final String STALL_TIMEOUT = "--stall-timeout";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--gzip",
      description =
          "Compress during the transfer. Data that would not become smaller is sent uncompressed:"
              + " over gRPC parts of a file, over HTTP a whole file, judged by its beginning.")
  private boolean gzip;

  @Option(
      names = "--zstd",
      description =
          "Compress with zstd if both ends have it, else with gzip. Uses grpc unless --client is"
              + " given.")
  private boolean zstd;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "Compression level: gzip 0 to 9, zstd 1 to 19 (default: 1). Another level uses grpc unless"
              + " --client is given.")
  private @Nullable Integer level;

  @Option(
      names = "--chunk-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Bytes of one message or copy, such as 65536, 64K or 64kB; up to "
              + TransferOptions.MAX_CHUNK
              + " (default: 256K).")
  private @Nullable Long chunkSize;

  @Option(
      names = "--checksum",
      paramLabel = "ALGORITHM",
      defaultValue = "crc32c",
      description =
          "The checksum that both ends compute and compare: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}). For sha256 the receiver reads its file again.")
  private Checksum checksum;

  @Option(
      names = "--no-times",
      description =
          "Give new files the time of the transfer instead of the modification time of their"
              + " source.")
  private boolean noTimes;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "Time limit of the transfer: 500ms, 30s, 5m or 1h; 0 (default) means no limit.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = STALL_TIMEOUT,
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeConverter.class,
      description =
          "Time without data after which a transfer fails (default: ${DEFAULT-VALUE}); 0 means no"
              + " limit.")
  private Duration stallTimeout;

  @Option(
      names = "--bwlimit",
      paramLabel = "RATE",
      converter = SizeConverter.class,
      description =
          "Bandwidth limit in bytes/s, such as 10M, for all files and streams of the command"
              + " together. Compressed data counts at its uncompressed size. At least "
              + RateLimit.MIN
              + "; 0 (default) means no limit.")
  private long bandwidth;

  private @Nullable RateLimit rateLimit;

  public TransferOptions options(TransferOptions.Progress progress) {
    TransferOptions options =
        TransferOptions.DEFAULT.withDigest(checksum.algorithm()).withProgress(progress);
    try {
      return options
          .withCompression(compression())
          .withChunkSize(chunkSize == null ? options.chunkSize() : chunkSize(chunkSize))
          .withKeepTimes(!noTimes)
          .withTimeout(timeout.isZero() ? null : timeout)
          .withStallTimeout(stallTimeout)
          .withRateLimit(rateLimit());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the limit of all transfers of the command; null if there is none. */
  public @Nullable RateLimit rateLimit() {
    if (bandwidth != 0 && rateLimit == null) {
      try {
        rateLimit = RateLimit.bytesPerSecond(bandwidth);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), "--bwlimit: " + e.getMessage(), e);
      }
    }
    return rateLimit;
  }

  /** Whether the compression is not to be had over HTTP. */
  boolean needsGrpc() {
    return zstd || (level != null && level != Compression.GZIP.level());
  }

  private @Nullable Compression compression() {
    if (gzip && zstd) {
      throw new IllegalArgumentException("--gzip and --zstd: give only one of them");
    }
    if (!gzip && !zstd) {
      if (level != null) {
        throw new IllegalArgumentException("--level: give --gzip or --zstd with it");
      }
      return null;
    }
    Compression.Format format = zstd ? Compression.Format.ZSTD : Compression.Format.GZIP;
    return new Compression(format, level == null ? Compression.GZIP.level() : level);
  }

  private static int chunkSize(long bytes) {
    if (bytes < TransferOptions.MIN_CHUNK || bytes > TransferOptions.MAX_CHUNK) {
      throw new IllegalArgumentException(
          "--chunk-size: %d bytes are not from %d to %d"
              .formatted(bytes, TransferOptions.MIN_CHUNK, TransferOptions.MAX_CHUNK));
    }
    return (int) bytes;
  }
}
