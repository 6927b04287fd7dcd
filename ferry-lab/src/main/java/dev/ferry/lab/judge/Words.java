package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Verdict;
import org.jspecify.annotations.Nullable;

/** Verdicts in words, with their size. */
final class Words {
  private Words() {}

  /** Returns a verdict, for instance {@code 1.90 to 2.30 times faster}. */
  static String of(Verdict verdict, @Nullable Interval ratio) {
    if (ratio == null || verdict == Verdict.NOT_COMPARABLE) {
      return verdict.label();
    }
    return switch (verdict) {
      case FASTER -> range(1 / ratio.high(), 1 / ratio.low()) + " times faster";
      case SLOWER -> range(ratio.low(), ratio.high()) + " times slower";
      default -> verdict.label() + " (" + range(ratio.low(), ratio.high()) + ")";
    };
  }

  private static String range(double low, double high) {
    return Findings.number(low)
        + (Double.isInfinite(high) ? " or more" : " to " + Findings.number(high));
  }
}
