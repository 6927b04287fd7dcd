package dev.ferry.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProgressTextTest {
  private static final String NAME = "some/folder/of/the/tree/measurements-of-2026-11.csv";

  private final StringWriter err = new StringWriter();

  private FileProgress lines(Duration period) {
    return new FileProgress(
        new ProgressLine(null, new PrintWriter(err, true), "a.csv", period), "a.csv");
  }

  @Test
  void lines_halfWay_sayHowFarOfWhat() {
    try (FileProgress file = lines(Duration.ofMinutes(1))) {
      file.update(5_000_000, 20_000_000);
      assertThat(file.text(1000)).isEqualTo("5.0 MB of 20.0 MB (25 %)");
      file.update(20_000_000, 20_000_000);
      assertThat(file.text(1000)).isEqualTo("20.0 MB of 20.0 MB (100 %)");
    }
  }

  @Test
  void lines_unknownSize_sayHowFarOnceSomethingCame() {
    try (FileProgress file = lines(Duration.ofMinutes(1))) {
      assertThat(file.text(1000)).isEmpty();
      file.update(1_000_000, -1);
      assertThat(file.text(1000)).isEqualTo("1.0 MB");
    }
  }

  @Test
  @Timeout(300)
  void lines_anyNumberOfUpdates_areOneAPeriod() throws Exception {
    Duration period = Duration.ofMillis(100);
    while (!areLinesOfAPeriod(period)) {
      period = period.multipliedBy(4);
    }
    assertThat(err.toString().lines()).allMatch("a.csv 20.0 MB of 20.0 MB (100 %)"::equals);
  }

  /** Returns false if the updates took longer than a period. */
  private boolean areLinesOfAPeriod(Duration period) throws InterruptedException {
    try (FileProgress file = lines(period)) {
      for (long done = 0; done <= 20_000_000; done += 200_000) {
        file.update(done, 20_000_000);
      }
      boolean inTime = err.toString().isEmpty();
      while (inTime && err.toString().lines().count() < 2) {
        Thread.sleep(5);
      }
      if (inTime) {
        return true;
      }
    }
    err.getBuffer().setLength(0);
    return false;
  }

  @ParameterizedTest
  @CsvSource({
    "60, '...11.csv  25 %  10.0 of 40.0 MB  5.0 MB/s  0:06 left'",
    "120, 'some/folder/of/the/tree/measurements-of-2026-11.csv  25 %  10.0 of 40.0 MB  5.0 MB/s"
        + "  0:06 left  [=====                ]'",
  })
  void file_ofAWidth_fits(int columns, String expected) {
    String text = new ProgressText(columns).file(NAME, 10_000_000, 40_000_000, 0, 2);
    assertThat(text).hasSizeLessThanOrEqualTo(columns);
    if (columns == 120) {
      assertThat(text).isEqualTo(expected);
    } else {
      assertThat(text).startsWith("...").contains("2026-11.csv  25 %  10.0 of 40.0 MB");
    }
  }

  @Test
  void file_thatGoesOn_hasTheRateOfWhatThisCommandMoves() {
    assertThat(new ProgressText(80).file("f", 30_000_000, 40_000_000, 20_000_000, 2))
        .startsWith("f  75 %  30.0 of 40.0 MB  5.0 MB/s  0:02 left");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 60, 80, 132})
  void file_ofAnyWidth_hasNoBarWithoutRoomAndNoUnknownPercent(int columns) {
    ProgressText text = new ProgressText(columns);
    assertThat(text.file(NAME, 0, -1, 0, 0)).doesNotContain("?", "%", "[");
    for (long done = 0; done <= 400; done += 100) {
      assertThat(text.file(NAME, done, 400, 0, 1))
          .doesNotContain("?")
          .matches("[^\\[]*|.*  \\[[= ]{12,40}\\]");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "60, '12 of 345 files  1.2 of 34.5 MB  0.6 MB/s  0:56 left'",
    "80, '12 of 345 files  1.2 of 34.5 MB  0.6 MB/s  0:56 left  ...ments-of-2026-11.csv'",
  })
  void tree_ofAWidth_saysFilesAndBytesAndTheName(int columns, String expected) {
    String text = new ProgressText(columns).tree(NAME, 12, 345, 1_200_000, 34_500_000, true, 2);
    assertThat(text).hasSizeLessThanOrEqualTo(columns).startsWith(expected.substring(0, 52));
    assertThat(text.contains("2026-11.csv")).isEqualTo(columns == 80);
  }

  @Test
  void tree_whoseWalkGoesOn_saysThatThereMayBeMore() {
    assertThat(new ProgressText(80).tree("", 1, 2, 3_000_000, 4_000_000, false, 1))
        .isEqualTo("1 of 2+ files  3.0 of 4.0 MB+  3.0 MB/s");
  }

  @Test
  void treeProgress_ofTransfers_countsThem() {
    try (TreeProgress tree = TreeProgress.none()) {
      assertThat(tree.text(80)).isEmpty();
      tree.found(1_000_000);
      tree.found(3_000_000);
      try (ProgressDisplay one = tree.begin("a\n")) {
        one.update(500_000, 1_000_000);
        one.update(1_000_000, 1_000_000);
        assertThat(tree.text(80)).startsWith("0 of 2+ files  1.0 of 4.0 MB+").endsWith("a\\n");
      }
      tree.foundAll();
      assertThat(tree.text(80)).startsWith("1 of 2 files  1.0 of 4.0 MB  ").contains(" left");
    }
  }
}
