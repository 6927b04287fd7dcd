package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalLineTest {
  @ParameterizedTest
  @CsvSource({
    "'24 132\n', 24, 132",
    "'50 2', 50, 2",
    "'0 0\n', 24, 80",
    "'30 1', 30, 80",
    "'24', 24, 80",
    "'24 -5', 24, 80",
    "'24 99999999999', 24, 80",
    "'stty: standard input: Inappropriate ioctl for device', 24, 80",
    "'', 24, 80"
  })
  void size_whateverSttySays_isASize(String output, int rows, int columns) {
    assertThat(TerminalLine.size(output)).isEqualTo(new TerminalLine.Size(rows, columns));
  }

  @Test
  void accept_overAnotherText_redrawsTheLineWithoutWrapping() {
    assertThat(
            screen(
                line -> {
                  line.accept("one");
                  line.accept("two");
                  line.clear();
                }))
        .isEqualTo("\rESC[?7loneESC[KESC[?7h" + "\rESC[?7ltwoESC[KESC[?7h" + "\rESC[K");
  }

  @Test
  void accept_withLinesAbove_redrawsAllOfThem() {
    assertThat(
            screen(
                line -> {
                  line.above(List.of("a", "b"));
                  line.accept("one");
                  line.above(List.of("c"));
                  line.accept("two");
                  line.say("stays");
                  line.accept("three");
                }))
        .isEqualTo(
            "\rESC[?7laESC[K\nbESC[K\noneESC[KESC[?7h"
                + "\rESC[2AESC[?7lcESC[K\ntwoESC[JESC[?7h"
                + "\rESC[1AESC[Jstays\n"
                + "\rESC[?7lcESC[K\nthreeESC[KESC[?7h");
  }

  private static String screen(Consumer<TerminalLine> drawing) {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    try (TerminalLine line =
        new TerminalLine(new PrintStream(screen, true), new TerminalLine.Size(24, 80))) {
      drawing.accept(line);
    }
    return screen.toString(StandardCharsets.UTF_8).replace("\u001b", "ESC");
  }
}
