package dev.ferry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ferry.core.FerryException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
  private static final String SECRET = "ferry_abc-DEF_123";

  @TempDir Path folder;

  @Test
  void read_aToken_isSentAndNeverPrinted() throws Exception {
    Token token = Token.read(Files.writeString(folder.resolve("token"), " " + SECRET + "\r\n"));
    assertThat(token.authorization("localhost", false)).isEqualTo("Bearer " + SECRET);
    assertThat(token.toString()).doesNotContain(SECRET);
  }

  @Test
  void parse_tokenOverTheLimit_isRefusedWithTheLimit() throws Exception {
    Token longest = Token.parse("a".repeat(16_384));
    assertThat(longest.authorization("localhost", false)).hasSize(16_384 + "Bearer ".length());
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> Token.parse("a".repeat(16_385)))
        .withMessage("this token has more than 16384 characters; have its issuer leave claims out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "two words", "a\r\nX: y", "kéy", "a=b"})
  void parse_anythingElse_isRefusedWithoutQuotingIt(String text) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> Token.parse(text))
        .withMessage("this is not a token, which is one word such as ferry_...; copy it again");
  }

  @Test
  void read_aFileThatIsNoToken_namesIt() throws Exception {
    Path file = folder.resolve("token");
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> Token.read(file))
        .withMessage(file + ": no such file; check the path");
    Files.writeString(file, "not a token");
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> Token.read(file))
        .withMessageStartingWith(file + ": this is not a token");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.1", "::1", "::ffff:127.0.0.1"})
  void authorization_forThisMachine_isSentInPlainText(String host) throws Exception {
    assertThat(Token.parse(SECRET).authorization(host, false)).endsWith(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.org", "localhost.", "10.0.0.1", "[::1", ""})
  void authorization_forAnotherMachine_needsTlsOrConsent(String host) throws Exception {
    Token token = Token.parse(SECRET);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> token.authorization(host, false))
        .withMessageContaining("in plain text; use TLS")
        .withMessageNotContaining(SECRET);
    assertThat(token.authorization(host, true)).endsWith(SECRET);
    assertThat(token.inPlainText().authorization(host, false)).endsWith(SECRET);
  }
}
