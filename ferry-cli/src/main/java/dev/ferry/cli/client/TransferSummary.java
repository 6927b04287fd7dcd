package dev.ferry.cli.client;

import dev.ferry.core.ByteSize;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Transfer;
import dev.ferry.core.internal.Amounts;
import dev.ferry.core.internal.PlainText;
import java.util.stream.Collectors;

/** Formats the summary line of a finished transfer. */
final class TransferSummary {
  /** Smaller sizes would print as 0.0 or 0.1 MB. */
  private static final long LEAST_IN_MB = 100_000;

  private TransferSummary() {}

  /**
   * For instance {@code a.csv -> a.csv: 25.1 MB (25060966 bytes) in 0.31 s, 80.1 MB/s, crc32c
   * 1f2e3d4c verified}. The rate is that of the bytes that were moved, which are not all if the
   * transfer resumed an earlier one.
   *
   * @param what source and target
   */
  static String of(String what, Transfer transfer, double seconds) {
    long bytes = transfer.facts().size();
    long resumedAt = transfer.resumedAt();
    String digests = digests(transfer.facts());
    return PlainText.of(
        what
            + ": "
            + size(bytes)
            + (resumedAt == 0 ? "" : ", resumed at byte " + resumedAt + ",")
            + (" in " + Amounts.decimal(seconds, 2) + " s, ")
            + ByteSize.amount((bytes - resumedAt) / seconds)
            + "/s, "
            + (digests.isEmpty() ? "not verified" : digests + "verified"));
  }

  /** How the bytes travelled, for instance {@code grpc h2c identity}. */
  static String carriage(Transfer transfer, CarrierChoice carrier) {
    return PlainText.of(carrier + " " + transfer.protocol() + " " + transfer.encoding());
  }

  /** The digests that are known, for instance {@code crc32c 1f2e3d4c }. */
  static String digests(FileFacts facts) {
    return facts.digests().stream()
        .map(digest -> digest.algorithm().id() + " " + digest + " ")
        .collect(Collectors.joining());
  }

  private static String size(long bytes) {
    String exact = bytes + (bytes == 1 ? " byte" : " bytes");
    return bytes < LEAST_IN_MB ? exact : ByteSize.megabytes(bytes) + " (" + exact + ")";
  }
}
