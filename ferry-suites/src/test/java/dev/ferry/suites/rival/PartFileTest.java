package dev.ferry.suites.rival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PartFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void write_piecesOfAllSizes_keepTheirOrder(boolean collects) throws IOException {
    Random random = new Random(7);
    Path target = folder.resolve("target");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (PartFile file = new PartFile(target, Digest.Algorithm.CRC32C, collects)) {
      for (int i = 0; i < 200; i++) {
        ByteBuffer[] pieces = new ByteBuffer[1 + i % 3];
        for (int j = 0; j < pieces.length; j++) {
          byte[] piece = new byte[random.nextInt(1 << random.nextInt(19))];
          random.nextBytes(piece);
          all.write(piece);
          pieces[j] = ByteBuffer.wrap(piece);
        }
        file.write(pieces);
      }
      CRC32C crc = new CRC32C();
      crc.update(all.toByteArray());
      file.commit("target", Crc32c.of(crc));
    }
    assertThat(Arrays.equals(Files.readAllBytes(target), all.toByteArray())).isTrue();
  }
}
