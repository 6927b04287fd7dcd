package dev.ferry.lab.stats;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Unit;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows with one sample in each fork. */
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
