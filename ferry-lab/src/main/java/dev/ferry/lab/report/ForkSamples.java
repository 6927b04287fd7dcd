package dev.ferry.lab.report;

import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.Row;
import java.util.ArrayList;
import java.util.List;

/** Splits the samples of a row by fork, for formats that keep them apart. */
final class ForkSamples {
  private ForkSamples() {}

  /** Returns the times of each fork, in order of measurement. */
  static List<List<Double>> of(Row row) {
    List<Double> samples = row.time().samples();
    List<List<Double>> forks = new ArrayList<>();
    int from = 0;
    for (ForkFigures fork : row.forks()) {
      forks.add(samples.subList(from, from + fork.n()));
      from += fork.n();
    }
    return forks;
  }
}
