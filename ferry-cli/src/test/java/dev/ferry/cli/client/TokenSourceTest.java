package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.FerryException;
import dev.ferry.wire.Token;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenSourceTest {
  @TempDir Path local;

  @Test
  void of_fileAndVariable_prefersTheFileAndWarnsOfReaders() throws Exception {
    StringWriter err = new StringWriter();
    PrintWriter printer = new PrintWriter(err, true);
    Map<String, String> environment = Map.of(TokenSource.VARIABLE, "ferry_env");
    Path file = Files.writeString(local.resolve("token"), "ferry_file");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(sent(TokenSource.of(file, "--token-file", true, environment, printer)))
        .isEqualTo("Bearer ferry_file");
    assertThat(sent(TokenSource.of(null, "--token-file", true, environment, printer)))
        .isEqualTo("Bearer ferry_env");
    assertThat(TokenSource.of(null, "--token-file", false, environment, printer)).isNull();
    assertThat(sent(TokenSource.of(file, "--token-file", false, environment, printer)))
        .isEqualTo("Bearer ferry_file");
    assertThat(TokenSource.of(null, "--token-file", true, Map.of(), printer)).isNull();
    assertThat(
            TokenSource.of(null, "--token-file", true, Map.of(TokenSource.VARIABLE, ""), printer))
        .isNull();
    assertThat(err.toString()).isEmpty();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThat(sent(TokenSource.of(file, "--token-file", true, environment, printer)))
        .isEqualTo("Bearer ferry_file");
    assertThat(err.toString().strip())
        .isEqualTo("warning: " + file + ": other users may read it; run chmod 600 " + file);
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(
            () ->
                TokenSource.of(
                    null, "--token-file", true, Map.of(TokenSource.VARIABLE, "a b"), printer))
        .withMessageStartingWith("FERRY_TOKEN: this is not a token");
  }

  private static String sent(@Nullable Token token) {
    return Objects.requireNonNull(token).authorization("localhost", false);
  }
}
