package dev.ferry.cli;

import dev.ferry.cli.program.PlainText;
import dev.ferry.core.ByteSize;
import dev.ferry.core.Sha256;
import dev.ferry.core.Transfer;
import java.util.Locale;

/** Formats the summary line of a finished transfer. */
final class Summary {
  /** Smaller sizes would print as 0.0 or 0.1 MB. */
  private static final long LEAST_IN_MB = 100_000;

  private Summary() {}

  /**
   * For instance {@code a.csv -> a.csv: 25.1 MB (25060966 bytes) in 0.31 s, 80.1 MB/s, sha256
   * 1f..9a verified, grpc h2c identity}.
   *
   * @param what source and target
   */
  static String of(String what, Transfer transfer, Stopwatch stopwatch, CarrierChoice carrier) {
    double seconds = stopwatch.seconds();
    long bytes = transfer.facts().size();
    Sha256 digest = transfer.facts().sha256();
    return PlainText.oneLine(
        String.format(
            Locale.ROOT,
            "%s: %s in %.2f s, %s/s, %s, %s %s %s",
            what,
            size(bytes),
            seconds,
            ByteSize.megabytes(bytes / seconds),
            digest == null ? "sha256 not verified" : "sha256 " + digest + " verified",
            carrier,
            transfer.protocol(),
            transfer.encoding()));
  }

  private static String size(long bytes) {
    String exact = bytes + (bytes == 1 ? " byte" : " bytes");
    return bytes < LEAST_IN_MB ? exact : ByteSize.megabytes(bytes) + " (" + exact + ")";
  }
}
