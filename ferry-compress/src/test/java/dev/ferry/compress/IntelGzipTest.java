package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.intel.gkl.compression.IntelDeflater;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What only the codec of Intel's GKL has to prove: that it runs, and for what. */
final class IntelGzipTest {
  private static void assumeIntel() {
    assumeTrue(
        CompressionCodec.GZIP_INTEL.available(),
        () -> CompressionCodec.GZIP_INTEL.obstacle().orElseThrow());
  }

  @Test
  void decompress_oneSoundMember_needsNoOther() throws IOException {
    assumeIntel();
    try (Decompressor decompressor = new IntelGzipDecompressor(IntelGzipTest::noOther);
        Compressor compressor = CompressionCodec.GZIP_INTEL.newCompressor(1)) {
      for (Content.Kind kind : Content.Kind.values()) {
        for (int size :
            new int[] {1, 2, 9, 300, 32_768, 65_535, 65_536, 70_001, 262_144, 999_999}) {
          byte[] bytes = new Content(kind, size, size).bytes();
          for (int level = 0; level <= 9; level += 3) {
            assertThat(AllCodecs.decompress(decompressor, AllCodecs.gzip(bytes, level), size))
                .isEqualTo(bytes);
          }
          assertThat(
                  AllCodecs.decompress(decompressor, AllCodecs.compress(compressor, bytes), size))
              .isEqualTo(bytes);
        }
      }
    }
  }

  private static Decompressor noOther() {
    throw new AssertionError("a sound member was left to the other decompressor");
  }

  @Test
  void label_ofTheCodec_hasTheVersionOfTheLibrary() {
    // The version in the label is the one of the root pom.
    String jar = IntelDeflater.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String version = jar.replaceAll(".*/gkl-(.*)\\.jar", "$1");
    assertThat(CompressionCodec.GZIP_INTEL.label()).isEqualTo("Intel GKL " + version);
  }
}
