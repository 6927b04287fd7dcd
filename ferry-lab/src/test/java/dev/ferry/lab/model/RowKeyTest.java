package dev.ferry.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class RowKeyTest {
  private static String fileName(String url) {
    return new RowKey("url", "download", "OkHttp", Map.of("Url", url)).fileName();
  }

  @Test
  void fileName_longValues_isShortAndDistinct() {
    String path = "https://example.org/" + "a".repeat(300);

    assertThat(fileName(path)).hasSizeLessThan(130).matches("[a-z0-9.-]+");
    assertThat(fileName(path)).isNotEqualTo(fileName(path + "b"));
    assertThat(fileName("https://example.org/x"))
        .startsWith("url-download-https-example.org-x-okhttp-");
  }
}
