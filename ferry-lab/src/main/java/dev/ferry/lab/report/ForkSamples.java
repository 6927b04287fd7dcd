package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.ArrayList;
import java.util.List;

/** Splits the samples of a row by fork, for formats that keep them apart. */
final class ForkSamples {
  private ForkSamples() {}

  /** Returns the times of each fork, in order of measurement. */
  static List<List<Double>> of(RunDocument run, Row row) {
    List<Double> samples = row.time().samples();
    int rounds = run.settings().rounds();
    // Some rows have fewer samples than the profile. Then only a complete run shows how many.
    int each =
        run.complete() && samples.size() % rounds == 0
            ? samples.size() / rounds
            : run.settings().samplesPerRound();
    List<List<Double>> forks = new ArrayList<>();
    for (int i = 0; i < samples.size(); i += each) {
      forks.add(samples.subList(i, Math.min(i + each, samples.size())));
    }
    return forks;
  }
}
