package dev.ferry.cli;

import dev.ferry.core.Compression;
import dev.ferry.core.TransferOptions;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how a file travels. */
final class TransferFlags {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--gzip", description = "Compress on the way.")
  private boolean gzip;

  @Option(
      names = "--zstd",
      description = "Compress with zstd where both ends have it, else with gzip.")
  private boolean zstd;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "How hard to compress: gzip 0 to 9, zstd 1 to 19 (default: 1).")
  private @Nullable Integer level;

  @Option(
      names = "--chunk-size",
      paramLabel = "BYTES",
      description =
          "Bytes of one message or copy, "
              + TransferOptions.MIN_CHUNK
              + " to "
              + TransferOptions.MAX_CHUNK
              + " (default: 262144).")
  private @Nullable Integer chunkSize;

  @Option(
      names = "--no-verify",
      description = "Do not compare SHA-256, which saves reading the file once more on both ends.")
  private boolean noVerify;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Longest time the transfer may take: 500ms, 30s, 5m or 1h (default: any).")
  private @Nullable String timeout;

  @SuppressWarnings("NullAway.Init") // picocli injects the specification
  TransferFlags() {}

  TransferOptions options(TransferOptions.Progress progress) {
    TransferOptions options = TransferOptions.DEFAULT.withVerify(!noVerify).withProgress(progress);
    try {
      return options
          .withCompression(compression())
          .withChunkSize(chunkSize == null ? options.chunkSize() : chunkSize)
          .withTimeout(timeout == null ? null : duration(timeout));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable Compression compression() {
    if (gzip && zstd) {
      throw new IllegalArgumentException("--gzip and --zstd: give one of them");
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

  /**
   * Reads a time with its unit.
   *
   * @throws IllegalArgumentException with one line that names the text and the forms allowed
   */
  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new IllegalArgumentException(
          "--timeout: '" + text + "' is not a time such as 500ms, 30s, 5m or 1h");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
