package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class PlainTextTest {
  @Property
  void oneLine_anyText_hasNoControlCharacter(@ForAll String text) {
    assertThat(PlainText.oneLine(text).codePoints().filter(Character::isISOControl)).isEmpty();
  }

  @Test
  void oneLine_linesAndEscapes_areJoinedAndMasked() {
    assertThat(PlainText.oneLine("a\n  b\u001b[31mc\n")).isEqualTo("a b?[31mc");
  }
}
