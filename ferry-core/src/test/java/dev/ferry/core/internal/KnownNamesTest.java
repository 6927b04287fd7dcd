package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KnownNamesTest {
  private static final KnownNames NAMES =
      KnownNames.of(List.of("get", "put", "serve", "bench", "--chunk-size", "ZeroCopy", "65536"));

  @Test
  void find_anyCase_givesTheName() {
    assertThat(NAMES.find("zerocopy")).contains("ZeroCopy");
    assertThat(NAMES.find("GET")).contains("get");
    assertThat(NAMES.find("gets")).isEmpty();
    assertThat(KnownNames.of(List.of("A", "a")).find("a")).contains("a");
  }

  @ParameterizedTest
  @CsvSource({
    "gte, get",
    "gett, get",
    "server, serve",
    "bnech, bench",
    "--chunksize, --chunk-size",
    "--chunck-szie, --chunk-size",
    "zerocopi, ZeroCopy",
    "ZERO, ZeroCopy"
  })
  void nearest_misspelt_givesTheName(String text, String name) {
    assertThat(NAMES.nearest(text)).contains(name);
    assertThat(NAMES.hint(text)).isEqualTo("did you mean '" + name + "'?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "gt", "fetch", "copy", "Fastest", "65535"})
  void hint_anythingElse_listsTheNames(String text) {
    assertThat(NAMES.nearest(text)).isEmpty();
    assertThat(NAMES.hint(text))
        .isEqualTo("use one of: get, put, serve, bench, --chunk-size, ZeroCopy, 65536");
  }
}
