package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.stats.Ceilings;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.lab.stats.Rows;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RunJsonTest {
  private static final Load IN_TURN = Load.files(100, 4, 1);

  /** The file was written by the version before rows and ceilings had one model. */
  @Test
  void text_theSameSamples_areTheSameBytes() throws Exception {
    List<Ceiling> ceilings =
        Ceilings.of(
            List.of(
                ceiling(CeilingName.SOCKET_DOWNLOAD, null, Status.OK, null, 9, 11, 10),
                ceiling(CeilingName.FILE_READ, null, Status.SKIPPED, "the run ended before it"),
                ceiling(CeilingName.GZIP_ALL, null, Status.FAILED, "it broke"),
                ceiling(CeilingName.SOCKET_DOWNLOAD, IN_TURN, Status.OK, null, 20, 24)));
    List<RowRun> rows =
        List.of(
            row("Base", null, Codec.NONE, null, 40, 42, 41),
            row("Fast", null, Codec.NONE, null, 20, 22, 21),
            row("Broken", "no connection", new Codec("java.util.zip", 1), null, 30),
            row("Late", null, Codec.NONE, null),
            row("InTurn", null, Codec.NONE, IN_TURN, 48, 50, 46));
    Criteria criteria = new Criteria(0.05, 0.02, 2);
    String text =
        RunJson.text(
            ForkRows.document("a CPU", Rows.of(rows, ceilings), ceilings, criteria, "Use it."));

    try (InputStream expected = RunJsonTest.class.getResourceAsStream("run.json")) {
      assertThat(text)
          .isEqualTo(
              new String(Objects.requireNonNull(expected).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static RowRun ceiling(
      CeilingName name,
      @Nullable Load load,
      Status status,
      @Nullable String reason,
      long... millis) {
    return ForkRows.ceiling(name, load, status, reason, samples(millis));
  }

  private static RowRun row(
      String method, @Nullable String failure, Codec codec, @Nullable Load load, long... millis) {
    return ForkRows.run(
        new RowKey("suite", "download", method, Map.of("BufferSize", "4096")),
        "Base",
        failure,
        codec,
        load,
        List.of(CeilingName.SOCKET_DOWNLOAD),
        samples(millis),
        new DisturbedFork(0, "others used 1 s of CPU", "samples/a-replaced-1.jsonl", false));
  }

  private static List<Sample> samples(long... millis) {
    Usage use = new Usage(20_480, 1_000_000, 1, 0, 1 << 24, 1 << 20, 6);
    return IntStream.range(0, millis.length)
        .mapToObj(n -> ForkRows.sample(n, millis[n] * 1_000_000, 100, use))
        .toList();
  }
}
