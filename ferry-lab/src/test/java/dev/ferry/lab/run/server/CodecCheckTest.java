package dev.ferry.lab.run.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.model.Codec;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CodecCheckTest {
  private static void require(Codec promised, Set<CompressionCodec> used) throws IOException {
    CodecCheck.require(promised, used::contains);
  }

  @Test
  void require_anotherLibraryThanTheLabelSays_fails() {
    assertThatThrownBy(
            () -> require(new Codec("java.util.zip", 1), EnumSet.of(CompressionCodec.GZIP_INTEL)))
        .isInstanceOf(IOException.class)
        .hasMessage("codec is Intel GKL 0.9.1, the row's label says java.util.zip, gzip level 1");
    assertThatThrownBy(() -> require(Codec.NONE, EnumSet.of(CompressionCodec.ZSTD)))
        .hasMessageContaining("the row's label says none");
  }

  @Test
  void require_theLibraryOfTheLabel_passes() {
    Codec intel = new Codec(CompressionCodec.GZIP_INTEL.label(), 1);
    assertThatCode(() -> require(Codec.NONE, EnumSet.noneOf(CompressionCodec.class)))
        .doesNotThrowAnyException();
    assertThatCode(
            () ->
                require(intel, EnumSet.of(CompressionCodec.GZIP_INTEL, CompressionCodec.GZIP_JDK)))
        .doesNotThrowAnyException();
  }
}
