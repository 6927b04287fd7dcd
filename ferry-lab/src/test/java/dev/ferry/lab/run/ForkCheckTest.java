package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples of 100 ms with 50 ms of CPU, on two processors. */
final class ForkCheckTest {
  private static final long NANOS = 100_000_000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final RowKey ROW = new RowKey("suite", "table", "Method", Map.of());

  @TempDir Path temporary;

  @Test
  void disturbance_quietMachine_isNone() {
    assertThat(ForkCheck.disturbance(samples(3, 2, 0, -5), 2)).isNull();
  }

  @Test
  void disturbance_anotherProcess_isNamedWithItsCpu() {
    assertThat(ForkCheck.disturbance(samples(4, 2, 0, 100), 2))
        .isEqualTo("other processes used 0.40 s of CPU");
  }

  @Test
  void disturbance_hypervisor_isNamed() {
    assertThat(ForkCheck.disturbance(samples(4, 2, 50, 0), 2))
        .isEqualTo("the hypervisor and other processes used 0.20 s of CPU");
  }

  @Test
  void disturbance_compiler_isNamedWithBothTimes() {
    assertThat(ForkCheck.disturbance(samples(4, 25, 0, 0), 2))
        .isEqualTo("the compiler used 0.10 s of CPU, the row 0.20 s");
  }

  @Test
  void disturbance_unknownFigures_isNone() {
    Disturbance unknown = new Disturbance(NANOS, null, null, null, null, null, null);

    assertThat(ForkCheck.disturbance(Collections.nCopies(4, sample(unknown)), 2)).isNull();
  }

  @Test
  void disturbance_twoSamples_isNotJudged() {
    assertThat(ForkCheck.disturbance(samples(2, 2, 0, 100), 2)).isNull();
  }

  @Test
  void repeat_whileTheCompilerDisturbs_movesTheSamplesAsideAndEndsAfterTwo() throws Exception {
    Path file = temporary.resolve("row-round-1.jsonl");
    int[] taken = {0};
    append(file, samples(3, 25, 0, 0));

    ForkCheck.repeat(
        List.of(file), () -> true, () -> append(file, samples(3, taken[0]++ < 1 ? 25 : 2, 0, 0)));

    assertThat(taken[0]).isEqualTo(2);
    assertThat(Sample.read(file)).isEqualTo(samples(3, 2, 0, 0));
    for (int number = 1; number <= 2; number++) {
      assertThat(Sample.read(temporary.resolve("row-round-1-warm-up-" + number + ".jsonl")))
          .isEqualTo(samples(3, 25, 0, 0));
    }
    ForkCheck.repeat(List.of(file), () -> true, () -> taken[0]++);
    assertThat(taken[0]).isEqualTo(2);
    append(file, samples(30, 25, 0, 0));
    ForkCheck.repeat(List.of(file), () -> false, () -> taken[0]++);
    assertThat(taken[0]).isEqualTo(2);
    ForkCheck.repeat(
        List.of(file),
        () -> true,
        () -> {
          taken[0]++;
          append(file, samples(3, 25, 0, 0));
        });
    assertThat(taken[0]).isEqualTo(4);
    assertThat(Sample.read(file)).isEqualTo(samples(3, 25, 0, 0));
    assertThat(temporary.resolve("row-round-1-warm-up-4.jsonl")).exists();
  }

  private static void append(Path file, List<Sample> samples) throws IOException {
    for (Sample sample : samples) {
      sample.appendTo(file);
    }
  }

  @Test
  void replaces_disturbedForks_keepsTheirSamplesUntilTwoReplacementsWereDisturbed()
      throws Exception {
    RunFolder folder = RunFolder.create(temporary.resolve("run"));
    Measurements measurements = new Measurements(folder, new Cancellation(), 9, PROCESSORS);

    assertThat(measurements.replaces(disturbed(folder, 1, null), () -> true)).isTrue();
    assertThat(measurements.replaces(job(folder, 1, null, 0), () -> true)).isFalse();
    assertThat(measurements.replaces(disturbed(folder, 2, null), () -> true)).isTrue();
    assertThat(measurements.replaces(disturbed(folder, 2, null), () -> true)).isFalse();
    assertThat(measurements.replaces(disturbed(folder, 3, null), () -> true)).isTrue();
    assertThat(measurements.replaces(disturbed(folder, 3, null), () -> true)).isFalse();
    assertThat(measurements.replaces(disturbed(folder, 4, null), () -> true)).isFalse();
    String name = "suite-table-method-";
    assertThat(measurements.disturbed(ROW))
        .extracting(DisturbedFork::round)
        .containsExactly(1, 2, 2, 3, 3, 4);
    assertThat(measurements.disturbed(ROW).get(2).samples()).isNull();
    assertThat(measurements.disturbed(ROW).get(5).samples()).isNull();
    for (int i = 0; i < 2; i++) {
      String samples = measurements.disturbed(ROW).get(i).samples();
      assertThat(samples)
          .startsWith("samples/" + name)
          .endsWith("-round-%d-replaced-%d.jsonl".formatted(i + 2, i + 1));
      assertThat(Sample.read(folder.root().resolve(samples))).hasSize(3);
    }
    assertThat(folder.samples(ROW, 1)).exists();
    assertThat(folder.samples(ROW, 2)).exists();
  }

  @Test
  void replaces_withoutTimeForAnotherFork_keepsAndMarks() throws Exception {
    RunFolder folder = RunFolder.create(temporary.resolve("run"));
    Measurements measurements = new Measurements(folder, new Cancellation(), 9, PROCESSORS);

    assertThat(measurements.replaces(disturbed(folder, 0, null), () -> false)).isFalse();
    assertThat(measurements.disturbed(ROW).get(0).samples()).isNull();
  }

  @Test
  void replaces_busyMachine_keepsAndMarksWhenTheRunHasReplacedEnough() throws Exception {
    RunFolder folder = RunFolder.create(temporary.resolve("run"));
    Measurements measurements = new Measurements(folder, new Cancellation(), 0, PROCESSORS);

    assertThat(measurements.replaces(disturbed(folder, 0, null), () -> true)).isFalse();
    assertThat(measurements.disturbed(ROW))
        .containsExactly(new DisturbedFork(0, "other processes used 0.30 s of CPU", null, false));
  }

  @Test
  void replaces_profiledFork_isNotJudged() throws Exception {
    RunFolder folder = RunFolder.create(temporary.resolve("run"));
    Measurements measurements = new Measurements(folder, new Cancellation(), 9, PROCESSORS);

    assertThat(measurements.replaces(disturbed(folder, 0, Profiler.JFR), () -> true)).isFalse();
    assertThat(measurements.disturbed(ROW)).isEmpty();
  }

  @Test
  void add_samplesThatWereTakenAgain_areNotedAndNoReplacement() throws Exception {
    RunFolder folder = RunFolder.create(temporary.resolve("run"));
    Measurements measurements = new Measurements(folder, new Cancellation(), 9, PROCESSORS);
    Job job = disturbed(folder, 0, null);
    append(RunFolder.repeated(job.samples().get(0), 1), samples(3, 25, 0, 0));
    append(RunFolder.repeated(job.samples().get(0), 2), samples(3, 25, 0, 0));

    measurements.add(List.of(ROW), job, null);
    measurements.add(List.of(ROW), job, null);

    assertThat(measurements.disturbed(ROW))
        .extracting(DisturbedFork::repeated, DisturbedFork::reason)
        .containsExactly(
            tuple(true, "the compiler used 0.08 s of CPU, the row 0.15 s"),
            tuple(true, "the compiler used 0.08 s of CPU, the row 0.15 s"));
    assertThat(measurements.replaces(job, () -> true)).isTrue();
    assertThat(measurements.disturbed(ROW).get(2).samples()).endsWith("-replaced-1.jsonl");
  }

  private Job disturbed(RunFolder folder, int round, @Nullable Profiler profiler)
      throws IOException {
    return job(folder, round, profiler, 100);
  }

  private Job job(RunFolder folder, int round, @Nullable Profiler profiler, int others)
      throws IOException {
    Path file = folder.samples(ROW, round).toAbsolutePath();
    for (Sample sample : samples(3, 2, 0, others)) {
      sample.appendTo(file);
    }
    Settings settings = new Settings(3, 3, 0, 0, 1);
    return new Job(
        List.of(ROW),
        null,
        round,
        settings,
        0,
        1,
        null,
        temporary,
        temporary,
        temporary,
        1,
        "00",
        List.of(file),
        temporary,
        profiler,
        null);
  }

  private static List<Sample> samples(int count, long compiler, long steal, long other) {
    return Collections.nCopies(
        count,
        sample(
            new Disturbance(
                NANOS, compiler * 1_000_000, 0L, steal * 1_000_000, other * 1_000_000, 0L, 0L)));
  }

  private static Sample sample(Disturbance disturbance) {
    return new Sample(
        0,
        NANOS,
        0L,
        50_000_000L,
        0L,
        0L,
        0L,
        0L,
        1,
        1,
        "h2c",
        "identity",
        0L,
        null,
        List.of(),
        null,
        null,
        disturbance);
  }
}
