package dev.ferry.core.internal;

import static dev.ferry.core.TestFiles.incompressible;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompressibilityTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path folder;

  private final Compressibility compressibility = new Compressibility();

  private boolean worthwhile(byte[] content) throws IOException {
    Path file = Files.write(folder.resolve("file"), content);
    try (FileSource source = FileSource.open(file)) {
      return compressibility.worthwhile(source, 0, content.length);
    }
  }

  private static byte[] rows() {
    StringBuilder rows = new StringBuilder();
    Random random = new Random(2);
    while (rows.length() < BYTES) {
      rows.append(random.nextInt(100_000)).append(",2026-01-01,").append(random.nextDouble());
    }
    return rows.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(content);
    }
    return compressed.toByteArray();
  }

  @Test
  void worthwhile_randomBytes_isNot() throws IOException {
    assertThat(worthwhile(incompressible(BYTES, 1))).isFalse();
    assertThat(worthwhile(incompressible(1_000, 1))).isFalse();
  }

  @Test
  void worthwhile_compressedBytes_isNot() throws IOException {
    assertThat(worthwhile(gzip(rows()))).isFalse();
  }

  @Test
  void worthwhile_text_is() throws IOException {
    assertThat(worthwhile(rows())).isTrue();
    assertThat(worthwhile(Base64.getEncoder().encode(incompressible(BYTES, 1)))).isTrue();
    assertThat(worthwhile(new byte[BYTES])).isTrue();
  }

  @Test
  void worthwhile_halfOfTheRegionIsText_is() throws IOException {
    byte[] content = incompressible(BYTES, 1);
    System.arraycopy(rows(), 0, content, BYTES / 2, BYTES / 2);

    assertThat(worthwhile(content)).isTrue();
  }

  @Test
  void worthwhile_tooFewBytesToTell_is() throws IOException {
    assertThat(worthwhile(new byte[0])).isTrue();
    assertThat(worthwhile(incompressible(255, 1))).isTrue();
    assertThat(worthwhile(incompressible(256, 1))).isFalse();
  }
}
