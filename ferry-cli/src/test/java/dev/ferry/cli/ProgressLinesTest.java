package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressLinesTest {
  private final StringWriter err = new StringWriter();

  @Test
  void look_everyFurtherTenth_printsOneLine() {
    try (ProgressLines lines = lines()) {
      lines.update(0, 20_000_000);
      lines.look();
      lines.update(1_900_000, 20_000_000);
      lines.look();
      lines.update(5_000_000, 20_000_000);
      lines.look();
      lines.look();
      lines.update(20_000_000, 20_000_000);
      lines.look();
    }

    assertThat(err.toString().lines())
        .containsExactly("a.csv 5.0 MB of 20.0 MB (25 %)", "a.csv 20.0 MB of 20.0 MB (100 %)");
  }

  @Test
  void look_tenTimesWithoutAFurtherTenth_printsALine() {
    try (ProgressLines lines = lines()) {
      lines.update(1_000_000, -1);
      for (int i = 0; i < 25; i++) {
        lines.look();
      }
    }

    assertThat(err.toString().lines()).containsExactly("a.csv 1.0 MB", "a.csv 1.0 MB");
  }

  private ProgressLines lines() {
    return new ProgressLines("a.csv", new PrintWriter(err, true));
  }
}
