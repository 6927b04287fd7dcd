package dev.ferry.lab.stats;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Ferry;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Unit;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows with one sample in each fork, and runs of them. */
public final class ForkRows {
  private ForkRows() {}

  /**
   * Returns the figures of a row.
   *
   * @param millis the time of each fork in milliseconds; if empty, the row was skipped
   */
  public static Row of(RowKey key, @Nullable String baseline, Codec codec, double... millis) {
    @Nullable String reason = millis.length == 0 ? "it did not run" : null;
    RowRun run =
        new RowRun(
            key,
            baseline,
            reason == null ? Status.OK : Status.SKIPPED,
            reason,
            codec,
            1,
            null,
            Unit.MILLIS,
            List.of(),
            List.of(),
            IntStream.range(0, millis.length)
                .mapToObj(round -> sample(round, Math.round(millis[round] * 1e6)))
                .toList(),
            List.of());
    return Rows.of(List.of(run), List.of()).get(0);
  }

  /**
   * Returns a complete run of a file of 100 bytes, which gzip leaves 24 of.
   *
   * @param cpu the model of the processor
   */
  public static RunDocument document(String cpu, List<Row> rows) {
    Criteria criteria = new Criteria(0.05, null, 1);
    return new RunDocument(
        RunDocument.SCHEMA,
        new Ferry("1", "abc"),
        new Environment(
            "2026-01-01T00:00:00Z",
            "Debian",
            "6.1",
            cpu,
            2,
            1L << 34,
            "17",
            "a VM",
            List.of(),
            "G1",
            1 << 30,
            "ext4",
            0,
            0),
        new SourceFile("taxi.csv", 100, "00", 24),
        "default",
        new Settings(5, 1, 0, 0, 1),
        null,
        true,
        Comparisons.withBaselines(rows, criteria),
        List.of(),
        List.of(),
        criteria,
        List.of(),
        List.of());
  }

  private static Sample sample(int round, long nanos) {
    return new Sample(
        round,
        nanos,
        1L,
        1L,
        1L,
        1L,
        1L,
        1L,
        1,
        1,
        "h2c",
        "identity",
        null,
        null,
        List.of(),
        null,
        null,
        null);
  }
}
