package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.stats.ForkRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes of {@code compare --gate}, and the advice of a run. */
final class CompareCommandTest {
  private static final double[] BASE = {100, 101, 99, 100, 100};

  @TempDir private Path folder;

  @Test
  void gate_sameRunOrFaster_is0() throws IOException {
    Path before = run("before", "CPU", BASE);

    assertThat(compare(before, before).exitCode()).isZero();
    assertThat(compare(before, run("after", "CPU", 50, 51, 49, 50, 50)))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isZero();
              assertThat(outcome.out())
                  .contains("| suite/table ZeroCopy |", "| 100.00 ms |", "| 50.00 ms |", "faster");
            });
  }

  @Test
  void gate_slower_is1AndWithoutGate0() throws IOException {
    Path before = run("before", "CPU", BASE);
    Path after = run("after", "CPU", 150, 151, 149, 150, 150);

    assertThat(compare(before, after).exitCode()).isEqualTo(1);
    assertThat(Outcome.of(new Main(), "compare", before.toString(), after.toString()).exitCode())
        .isZero();
    assertThat(compare(before, after, "slower=70%").exitCode()).isZero();
  }

  @Test
  void gate_wrongUse_is2() throws IOException {
    Path before = run("before", "CPU", BASE);

    assertThat(compare(before, before, "faster=5%"))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isEqualTo(2);
              assertThat(outcome.err())
                  .contains("'faster=5%' is not slower=PERCENT")
                  .hasLineCount(1);
            });
    assertThat(compare(before, before, "slower=much"))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isEqualTo(2);
              assertThat(outcome.err())
                  .contains("--gate: 'much' is not a percentage such as 5%")
                  .hasLineCount(1);
            });
    assertThat(Outcome.of(new Main(), "compare", before.toString(), before.toString(), "--strict"))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isEqualTo(2);
              assertThat(outcome.err()).contains("give --gate slower=5% with it").hasLineCount(1);
            });
    assertThat(compare(before, folder.resolve("missing")).exitCode()).isEqualTo(2);
  }

  @Test
  void gate_anotherMachine_is3AndSaysSoFirst() throws IOException {
    Outcome outcome = compare(run("before", "CPU", BASE), run("after", "another CPU", BASE));

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out().lines().skip(1).findFirst())
        .contains("Not comparable: machine CPU, 2 cores before, another CPU, 2 cores after");
  }

  @Test
  void gate_notDecided_is0AndIfStrict4() throws IOException {
    Path before = run("before", "CPU", BASE);
    Path after = run("after", "CPU", 60, 150, 50, 160, 70);

    assertThat(compare(before, after))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isZero();
              assertThat(outcome.out().lines())
                  .anyMatch(
                      line ->
                          line.matches(
                              "gate: no row is slower by more than 5.0 % for certain; [0-9.]+ %"
                                  + " slower is still possible in suite/table ZeroCopy"));
            });
    assertThat(strict(before, after))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isEqualTo(4);
              assertThat(outcome.out()).contains("gate: there is no proof");
            });
    assertThat(strict(before, before).exitCode()).isZero();
    assertThat(strict(before, run("slower", "CPU", 150, 151, 149, 150, 150)).exitCode())
        .isEqualTo(1);
  }

  @Test
  void gate_twoForks_is3() throws IOException {
    Path run = run("run", "CPU", 100, 100.1);

    assertThat(compare(run, run))
        .satisfies(
            outcome -> {
              assertThat(outcome.exitCode()).isEqualTo(3);
              assertThat(outcome.out()).contains("fewer are no evidence");
            });
    assertThat(Outcome.of(new Main(), "compare", run.toString(), run.toString()).exitCode())
        .isZero();
  }

  private static Outcome strict(Path before, Path after) {
    return Outcome.of(
        new Main(),
        "compare",
        before.toString(),
        after.toString(),
        "--gate",
        "slower=5%",
        "--strict");
  }

  @Test
  void advise_nothingDecided_saysWhatWouldDecide() throws IOException {
    Outcome outcome =
        Outcome.of(
            new Main(), "advise", run("run", "CPU", BASE).toString(), "--for", "small-calls");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .isEqualTo(
            "There is no advice for these tables; read their verdicts (ferry bench report): table of suite"
                + " suite.\n");
    assertThat(Outcome.of(new Main(), "advise", "x", "--for", "smalcalls").err())
        .contains("unknown purpose 'smalcalls'; did you mean 'small-calls'?");
  }

  @Test
  void advise_runOfOneRow_hasNotEnough() throws IOException {
    assertThat(advise(answer("ZeroCopy", BASE)))
        .startsWith("Not enough was measured for advice.")
        .doesNotContain("There is no advice");
  }

  @Test
  void advise_runOfTwoRows_beginsWithTheAnswerAndSaysWhereItHolds() throws IOException {
    assertThat(advise(answer("ZeroCopy", BASE), answer("HttpClientFile", 200, 201, 199)))
        .startsWith("Downloads: Ferry's gRPC (100 ms) is fastest, ")
        .contains("\nResults will differ over a slower or longer network, with TLS, ");
  }

  @Test
  void advise_runThatEndedEarly_saysSoAfterTheAnswer() throws IOException {
    Path root = Files.createDirectory(folder.resolve("early"));
    RunJson.write(
        root.resolve("run.json"),
        ForkRows.interrupted(
            ForkRows.document(
                "CPU",
                List.of(answer("ZeroCopy", BASE), answer("HttpClientFile", 200, 201, 199)))));

    assertThat(Outcome.of(new Main(), "advise", root.toString()).out().lines().limit(2))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("Downloads: Ferry's gRPC "),
            line ->
                assertThat(line)
                    .isEqualTo("This run ended early: it has only what was measured until then."));
  }

  private static Row answer(String method, double... millis) {
    return ForkRows.of(
        new RowKey("answer", "download", method, Map.of()), "HttpClientFile", Codec.NONE, millis);
  }

  private String advise(Row... rows) throws IOException {
    Path root = Files.createDirectory(folder.resolve("answer"));
    RunJson.write(root.resolve("run.json"), ForkRows.document("CPU", List.of(rows)));
    return Outcome.of(new Main(), "advise", root.toString()).out();
  }

  private static Outcome compare(Path before, Path after) {
    return compare(before, after, "slower=5%");
  }

  private static Outcome compare(Path before, Path after, String gate) {
    return Outcome.of(new Main(), "compare", before.toString(), after.toString(), "--gate", gate);
  }

  /** Writes a run of one row with one sample in each fork. */
  private Path run(String name, String cpu, double... millis) throws IOException {
    Row row =
        ForkRows.of(new RowKey("suite", "table", "ZeroCopy", Map.of()), null, Codec.NONE, millis);
    Path root = Files.createDirectory(folder.resolve(name));
    RunJson.write(root.resolve("run.json"), ForkRows.document(cpu, List.of(row)));
    return root;
  }
}
