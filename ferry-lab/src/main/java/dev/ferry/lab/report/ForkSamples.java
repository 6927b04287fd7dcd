package dev.ferry.lab.report;

import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Splits the samples of a row by fork, for formats that keep them apart. */
final class ForkSamples {
  private ForkSamples() {}

  /** Returns the times of each fork, in order of measurement. */
  static List<List<Double>> of(RunDocument run, Row row) {
    List<Double> samples = row.time().samples();
    List<Integer> sizes = row.forks().stream().map(ForkFigures::n).toList();
    if (sizes.stream().mapToInt(n -> n).sum() != samples.size()) {
      // Older runs do not have the sizes. Some rows have fewer samples than the profile.
      int rounds = run.settings().rounds();
      int each =
          run.complete() && samples.size() % rounds == 0
              ? samples.size() / rounds
              : run.settings().samplesPerRound();
      sizes = Collections.nCopies((samples.size() + each - 1) / each, each);
    }
    List<List<Double>> forks = new ArrayList<>();
    int from = 0;
    for (int size : sizes) {
      int to = Math.min(from + size, samples.size());
      forks.add(samples.subList(from, to));
      from = to;
    }
    return forks;
  }
}
