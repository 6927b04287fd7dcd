package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalLineTest {
  @ParameterizedTest
  @CsvSource({
    "'24 132\n', 132",
    "'50 2', 2",
    "'0 0\n', 80",
    "'24 1', 80",
    "'24', 80",
    "'24 -5', 80",
    "'24 99999999999', 80",
    "'stty: standard input: Inappropriate ioctl for device', 80",
    "'', 80"
  })
  void columns_whateverSttySays_isAWidth(String output, int columns) {
    assertThat(TerminalLine.columns(output)).isEqualTo(columns);
  }

  @Test
  void accept_overAnotherText_redrawsTheLineWithoutWrapping() {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    try (TerminalLine line = new TerminalLine(new PrintStream(screen, true), 80)) {
      line.accept("one");
      line.accept("two");
      line.clear();
    }
    assertThat(screen.toString(StandardCharsets.UTF_8).replace("\u001b", "ESC"))
        .isEqualTo("\rESC[?7loneESC[KESC[?7h" + "\rESC[?7ltwoESC[KESC[?7h" + "\rESC[K");
  }
}
