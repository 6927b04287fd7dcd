package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class PlainTextTest {
  @Property
  void of_anyText_isOneLineThatCanBePrinted(@ForAll String text) {
    String plain = PlainText.of(text);
    assertThat(plain.codePoints().filter(Character::isISOControl)).isEmpty();
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(plain)).isTrue();
    assertThat(plain.lines().count()).isLessThanOrEqualTo(1);
  }

  @Property
  void of_anyBytes_isThatOfTheTextWhereTheyAreUtf8(@ForAll byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf('\ufffd') < 0) {
      assertThat(PlainText.of(bytes)).isEqualTo(PlainText.of(text));
    } else {
      assertThat(PlainText.of(bytes)).contains("\\x");
    }
  }

  @Test
  void of_whatCannotBePrinted_isEscaped() {
    assertThat(PlainText.of("a\n  b\u001b[31mc\r\t\u0085 \u2028\ud83d"))
        .isEqualTo("a\\n  b\\x1b[31mc\\r\\t\\xc2\\x85 \\u2028\\ud83d");
    assertThat(
            PlainText.of(new byte[] {'a', (byte) 0xe9, 'b', (byte) 0xc3, (byte) 0xa9, (byte) 0xe2}))
        .isEqualTo("a\\xe9b\u00e9\\xe2");
    assertThat(PlainText.of("back\\slash \ud83d\ude00")).isEqualTo("back\\slash \ud83d\ude00");
  }
}
