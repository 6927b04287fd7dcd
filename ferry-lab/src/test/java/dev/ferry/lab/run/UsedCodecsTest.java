package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.model.Codec;
import dev.ferry.pack.PackCodec;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class UsedCodecsTest {
  private static void require(Codec promised, Set<PackCodec> used) throws IOException {
    UsedCodecs.require(promised, used::contains);
  }

  @Test
  void require_anotherLibraryThanTheLabelSays_fails() {
    assertThatThrownBy(
            () -> require(new Codec("java.util.zip", 1), EnumSet.of(PackCodec.GZIP_INTEL)))
        .isInstanceOf(IOException.class)
        .hasMessage("codec is Intel GKL 0.9.1, the row's label says java.util.zip, gzip level 1");
    assertThatThrownBy(() -> require(Codec.NONE, EnumSet.of(PackCodec.ZSTD)))
        .hasMessageContaining("the row's label says none");
  }

  @Test
  void require_theLibraryOfTheLabel_passes() {
    Codec intel = new Codec(PackCodec.GZIP_INTEL.label(), 1);
    assertThatCode(() -> require(Codec.NONE, EnumSet.noneOf(PackCodec.class)))
        .doesNotThrowAnyException();
    assertThatCode(() -> require(intel, EnumSet.of(PackCodec.GZIP_INTEL, PackCodec.GZIP_JDK)))
        .doesNotThrowAnyException();
  }
}
