package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BrowserTest {
  @ParameterizedTest
  @CsvSource({"Linux, xdg-open", "Mac OS X, open", "Windows 11, rundll32", "FreeBSD, xdg-open"})
  void command_ofASystem_opensTheAddress(String system, String program) {
    assertThat(Browser.command(system, Path.of("a b")))
        .startsWith(program)
        .last()
        .asString()
        .startsWith("file:///")
        .endsWith("a%20b");
  }
}
