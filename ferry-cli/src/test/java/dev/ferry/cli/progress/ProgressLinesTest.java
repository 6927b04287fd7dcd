package dev.ferry.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ProgressLinesTest {
  private final StringWriter err = new StringWriter();

  @Test
  void print_halfWay_saysHowFarOfWhat() {
    try (ProgressLines lines = lines()) {
      lines.update(5_000_000, 20_000_000);
      lines.print();
      lines.update(20_000_000, 20_000_000);
      lines.print();
    }

    assertThat(err.toString().lines())
        .containsExactly("a.csv 5.0 MB of 20.0 MB (25 %)", "a.csv 20.0 MB of 20.0 MB (100 %)");
  }

  @Test
  void print_unknownSize_saysHowFarOnceSomethingCame() {
    try (ProgressLines lines = lines()) {
      lines.print();
      lines.update(1_000_000, -1);
      lines.print();
    }

    assertThat(err.toString().lines()).containsExactly("a.csv 1.0 MB");
  }

  @Test
  @Timeout(60)
  void start_anyNumberOfUpdates_printsOneLineAPeriod() throws Exception {
    try (ProgressLines lines = lines().start(Duration.ofMillis(100))) {
      for (long done = 0; done <= 20_000_000; done += 200_000) {
        lines.update(done, 20_000_000);
      }
      assertThat(err.toString()).isEmpty();
      while (err.toString().lines().count() < 2) {
        Thread.sleep(5);
      }
    }

    assertThat(err.toString().lines()).allMatch("a.csv 20.0 MB of 20.0 MB (100 %)"::equals);
  }

  private ProgressLines lines() {
    return new ProgressLines("a.csv", new PrintWriter(err, true));
  }
}
