package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PlainTextTest {
  @Test
  void of_anyText_isOneLineThatCanBePrinted() {
    Generated.check(
        1000,
        input -> {
          String plain = PlainText.of(input.text(255));
          assertThat(plain.codePoints().filter(Character::isISOControl)).isEmpty();
          assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(plain)).isTrue();
          assertThat(plain.lines().count()).isLessThanOrEqualTo(1);
        });
  }

  @Test
  void of_anyBytes_isThatOfTheTextWhereTheyAreUtf8() {
    Generated.check(
        1000,
        input -> {
          byte[] bytes =
              input.flag() ? input.bytes(255) : input.text(255).getBytes(StandardCharsets.UTF_8);
          assertThat(PlainText.of(bytes)).matches(plain -> isRight(plain, bytes));
        });
  }

  private static boolean isRight(String plain, byte[] bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return plain.equals(PlainText.of(text.toString()));
    } catch (CharacterCodingException e) {
      return plain.contains("\\x");
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
