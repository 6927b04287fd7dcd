package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.RateLimit;
import dev.ferry.core.TransferOptions;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class TransferFlagsTest {
  @ParameterizedTest
  @CsvSource({"65536, 65536", "64K, 65536", "64KiB, 65536", "64kb, 64000", "0.5M, 524288"})
  void options_chunkSize_takesUnits(String text, int bytes) {
    assertThat(options("--chunk-size", text).chunkSize()).isEqualTo(bytes);
  }

  @Test
  void options_timeout_isReadWithItsUnitAndOffWith0() {
    assertThat(options("--timeout", "30s").timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options("--timeout", "0").timeout()).isNull();
    assertThat(options().timeout()).isNull();
  }

  @Test
  void options_bwlimit_isOneForAllTransfersOfTheCommandAndOffWith0() {
    TransferFlags flags = flags("--bwlimit", "10M");

    RateLimit limit = Objects.requireNonNull(flags.options((done, total) -> {}).rateLimit());

    assertThat(limit.bytesPerSecond()).isEqualTo(10 * 1024 * 1024);
    assertThat(flags.options((done, total) -> {}).rateLimit()).isSameAs(limit);
    assertThat(options("--bwlimit", "0").rateLimit()).isNull();
    assertThat(options().rateLimit()).isNull();
  }

  private static TransferOptions options(String... args) {
    return flags(args).options((done, total) -> {});
  }

  private static TransferFlags flags(String... args) {
    TransferFlags flags = new TransferFlags();
    new CommandLine(new Flags(flags)).parseArgs(args);
    return flags;
  }

  /** Nothing but the options. */
  @CommandLine.Command
  private record Flags(@CommandLine.Mixin TransferFlags flags) {}
}
