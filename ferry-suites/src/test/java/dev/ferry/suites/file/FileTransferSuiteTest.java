package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.wire.TlsProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class FileTransferSuiteTest {
  private static final Codec JDK = new Codec("java.util.zip", 1);
  private static final Codec INTEL = new Codec("Intel GKL 0.9.1", 1);
  private static final Suite SUITE = new FileTransferSuite();

  private static RowKey row(String method, boolean compressed) {
    return new RowKey(
        SUITE.name(),
        "rivals-download",
        method,
        Map.of("BufferSize", "65536", "UseCompression", Boolean.toString(compressed)));
  }

  @ParameterizedTest
  @CsvSource({
    "ZeroCopy, h2c, gzip, false",
    "ZeroCopyIntel, h2c, gzip, true",
    "HttpClient, http/1.1, gzip, false"
  })
  void promise_compressed_namesEncodingAndLibraryAndIsBoundByIt(
      String method, String protocol, String encoding, boolean intel) {
    RowKey row = row(method, true);

    assertThat(SUITE.row(row).promise())
        .isEqualTo(new RowSpec.Promise(protocol, encoding, intel ? INTEL : JDK, 1));
    String obstacle = intel ? CompressionCodec.GZIP_INTEL.obstacle().orElse(null) : null;
    assertThat(SUITE.row(row).needs().obstacle().get().orElse(null)).isEqualTo(obstacle);
    assertThat(SUITE.row(row).bounds().ceilings())
        .isEqualTo(
            obstacle != null
                ? List.of()
                : List.of(intel ? CeilingName.GZIP_INTEL_ALL : CeilingName.GZIP_ALL));
  }

  @Test
  void promise_besideTheCCore_namesItsLevelAndGivesOursAServerProcess() {
    RowKey python =
        new RowKey(SUITE.name(), "c-core-upload", "Default", row("", true).parameters());
    RowKey ours = new RowKey(SUITE.name(), "c-core-upload", "ZeroCopy", row("", true).parameters());

    assertThat(SUITE.row(python).promise())
        .isEqualTo(
            new RowSpec.Promise(
                "h2c", "gzip", new Codec("zlib in the C core through Python", 6), 2));
    assertThat(SUITE.row(ours).promise()).isEqualTo(new RowSpec.Promise("h2c", "gzip", JDK, 2));
    assertThat(SUITE.row(python).needs().foreign()).isTrue();
    assertThat(SUITE.row(ours).needs().foreign()).isFalse();
    assertThat(SUITE.row(python).needs().obstacle().get().orElse(null))
        .isEqualTo(CCore.obstacle().orElse(null));
    assertThat(SUITE.row(ours).needs().obstacle().get().orElse(null)).isNull();
    assertThat(SUITE.row(python).bounds().ceilings()).isEmpty();
  }

  @Test
  void promise_uncompressed_namesNoLibrary() {
    assertThat(SUITE.row(row("ZeroCopy", false)).promise())
        .isEqualTo(new RowSpec.Promise("h2c", "identity", Codec.NONE, 1));
  }

  @Test
  void tables_rowsAboutCompression_standCompressedOnly() {
    List<RowKey> rows =
        SUITE.tables().stream()
            .filter(t -> t.name().startsWith("rivals-"))
            .flatMap(t -> t.groups(SUITE.name()).stream())
            .flatMap(List::stream)
            .filter(r -> r.method().equals("ZeroCopyIntel"))
            .toList();

    assertThat(rows).hasSize(4).allMatch(r -> "true".equals(r.parameters().get("UseCompression")));
  }

  @ParameterizedTest
  @EnumSource(TlsProvider.class)
  void obstacle_ofAProvider_isThatItDoesNotLoad(TlsProvider provider) {
    for (String method : List.of("TlsSocket", "ZeroCopy", "HttpClient", "ApacheTuned")) {
      RowKey row =
          new RowKey(
              "file-transfer",
              "tls-download",
              method,
              Map.of("Provider", provider.toString(), "BufferSize", "65536"));

      assertThat(SUITE.row(row).needs().obstacle().get().orElse(null))
          .isEqualTo(
              provider.isAvailable()
                  ? null
                  : provider + " does not load on this machine; leave its rows out by --filter");
    }
  }
}
