package dev.ferry.cli;

import dev.ferry.cli.program.SizeConverter;
import dev.ferry.cli.program.TimeConverter;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for uploads: their limits, and how they are stored. */
final class StoreFlags {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--max-file-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Size limit of an uploaded file, such as 10G; 0 (default) means no limit.")
  private long maxFileSize;

  @Option(
      names = "--max-receiving",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Size limit of all running uploads together; an announced size counts from the start. 0"
              + " (default) means no limit.")
  private long maxReceiving;

  @Option(
      names = "--keep-free",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "The disk space that uploads leave free (default: 1 %% of the disk, at most 64M); 0 fills"
              + " the disk completely.")
  private @Nullable Long keepFree;

  @Option(
      names = "--max-expansion",
      paramLabel = "RATIO",
      description =
          "How many times larger than its compressed form an upload beyond 10M may be, unless its"
              + " size was announced; 0 means no limit (default: ${DEFAULT-VALUE}).")
  private int maxExpansion = ReceiveLimits.DEFAULT_EXPANSION;

  @Option(
      names = "--verify-disk",
      description =
          "Before an upload gets its name, force it to the disk, read it again and compare its"
              + " checksum. The system may read it from its cache.")
  private boolean verifyDisk;

  @Option(
      names = "--durable",
      description =
          "Force each upload and its folder to the disk before the response, so that a power cut"
              + " loses no acknowledged upload. By default it can lose those of the last 30 seconds.")
  private boolean durable;

  @Option(
      names = "--keep-partial",
      paramLabel = "TIME",
      defaultValue = "24h",
      converter = TimeConverter.class,
      description =
          "How long to keep an incomplete upload of 8M or more after its last byte, so that it can"
              + " resume (default: ${DEFAULT-VALUE}); 0 keeps nothing.")
  private Duration keepPartial;

  /** Returns how uploads are received. */
  SinkOptions sinkOptions() {
    return SinkOptions.DEFAULT.withLimits(limits()).withVerifyDisk(verifyDisk).withSync(durable);
  }

  /** Returns the limits of uploads. */
  ReceiveLimits limits() {
    if (maxExpansion < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--max-expansion: " + maxExpansion + " is negative; 0 means no limit");
    }
    return new ReceiveLimits(
        orAny(maxFileSize), orAny(maxReceiving), keepFree, maxExpansion, keepPartial);
  }

  private static long orAny(long limit) {
    return limit == 0 ? Long.MAX_VALUE : limit;
  }
}
