package dev.ferry.lab.run;

import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides whether the samples of a fork were disturbed. */
final class ForkCheck {
  /** The figures of fewer samples are too coarse, and their times have no meaning anyway. */
  private static final int LEAST_SAMPLES = 3;

  /**
   * What others may use in a sample in any case. The figure has a resolution of 10 ms, and in the
   * least disturbed forks that move a file of 25 MB it was 2 to 3 ms.
   */
  private static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /**
   * The CPU time of the compiler in proportion to that of the row. In seven default runs on a quiet
   * machine the medians of 60 forks above it were 10 % higher than those of the other forks of
   * their rows; below it, the compiler made no difference beyond 2 %.
   */
  private static final double COMPILER = 0.35;

  /** How often a fork takes its samples again because the compiler disturbed them. */
  private static final int MOST_REPEATS = 2;

  private ForkCheck() {}

  /**
   * Takes the samples of a row again in the same fork if the compiler disturbed them. They count as
   * warm-up then: the compiler has less to do with every sample, while another fork would begin as
   * cold as this one.
   *
   * @param samples the files of the samples; those that do not count are moved beside them
   * @param mayRepeat whether the warm-up may last so long
   * @param again takes all samples again and appends them to the files
   */
  static void repeat(List<Path> samples, BooleanSupplier mayRepeat, Again again)
      throws IOException {
    for (int repeats = 0; repeats < MOST_REPEATS && mayRepeat.getAsBoolean(); repeats++) {
      List<Sample> all = new ArrayList<>();
      for (Path file : samples) {
        all.addAll(Sample.read(file));
      }
      if (!compiled(all)) {
        return;
      }
      for (Path file : samples) {
        int number = 1;
        while (Files.exists(RunFolder.repeated(file, number))) {
          // Of a fork that this one replaces.
          number++;
        }
        Files.move(file, RunFolder.repeated(file, number));
      }
      again.takeSamples();
    }
  }

  /** Takes all samples of a fork again. */
  @FunctionalInterface
  interface Again {
    void takeSamples() throws IOException;
  }

  private static boolean compiled(List<Sample> samples) {
    long cpu = sum(samples, Sample::cpuNanos);
    return samples.size() >= LEAST_SAMPLES
        && cpu > 0
        && sum(samples, of(Disturbance::compilerNanos)) > COMPILER * cpu;
  }

  /**
   * Returns what disturbed the samples; null if nothing did, or if that is not known.
   *
   * @param processors the number of processors of the machine
   */
  static @Nullable String disturbance(List<Sample> samples, int processors) {
    if (samples.size() < LEAST_SAMPLES) {
      return null;
    }
    double elapsed =
        samples.stream().mapToLong(sample -> sample.disturbance().elapsedNanos()).sum();
    long cpu = sum(samples, Sample::cpuNanos);
    long stolen = sum(samples, of(Disturbance::stealNanos));
    long others = sum(samples, of(Disturbance::otherCpuNanos)) + stolen;
    long compiler = sum(samples, of(Disturbance::compilerNanos));
    if (others > OTHERS_NANOS * samples.size()
        && others > Disturbance.MOST_OTHERS * elapsed * processors) {
      return (2 * stolen > others ? "the hypervisor and " : "")
          + "other processes used "
          + seconds(others)
          + " of CPU";
    }
    return compiled(samples)
        ? "the compiler used " + seconds(compiler) + " of CPU, the row " + seconds(cpu)
        : null;
  }

  private static Function<Sample, @Nullable Long> of(Function<Disturbance, @Nullable Long> figure) {
    return sample -> figure.apply(sample.disturbance());
  }

  /** Returns the sum of a figure. An unknown one disturbs nothing. */
  private static long sum(List<Sample> samples, Function<Sample, @Nullable Long> figure) {
    long sum = 0;
    for (Sample sample : samples) {
      Long value = figure.apply(sample);
      sum += value == null ? 0 : value;
    }
    return sum;
  }

  private static String seconds(long nanos) {
    return RootText.format("%.2f s", nanos / 1e9);
  }
}
