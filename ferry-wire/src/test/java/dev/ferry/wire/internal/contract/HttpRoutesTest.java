package dev.ferry.wire.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Generated;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRoutesTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "dir: no such folder", "100 % \"ü\" + 😀\r\n\u007f", "%41"})
  void detail_ofAnyText_comesBack(String text) {
    String field = HttpRoutes.detailField(text);
    assertThat(field).matches("%\"[ -~]*\"");
    assertThat(HttpRoutes.detail(field)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-31T12:00:00.123Z", "2026-01-31T12:00:07Z", "1970-01-01T00:00:00Z",
        "0000-02-29T23:59:59.999Z", "-0001-12-31T00:00:00Z", "+12026-01-31T12:00:00Z",
        "2026-01-31T12:00:00.123456789Z", "2026-01-31T24:00:00Z", "2016-12-31T23:59:60Z"
      })
  void time_asTheJdkReadsIt_isTheSame(String text) {
    assertThat(HttpRoutes.time(text)).isEqualTo(Instant.parse(text));
    assertThat(HttpRoutes.timeField(Instant.parse(text))).isEqualTo(Instant.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-02-30T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-01-31T12:60:00.123Z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:+1Z",
        "\u0661026-01-31T12:00:00Z"
      })
  void time_ofOtherText_fails(String text) {
    assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> HttpRoutes.time(text));
  }

  @Test
  void detail_ofALongText_isCut() {
    assertThat(HttpRoutes.detailField("ü".repeat(100_000)).length()).isLessThan(8_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "\"x\"", "%\"", "%\"%\"", "%\"%zz\"", "%\"x"})
  void detail_ofAMalformedField_isEmpty(String field) {
    assertThat(HttpRoutes.detail(field)).isEmpty();
  }

  private static final List<String> PARTS =
      List.of(
          "a", "b c", "+", "%", "%41", "%2f", "..", ".", "/", "?", "#", ";", "&", "=", ":", "é",
          "日", "😀", "\uFFFD", "~", "*", "\"", "<", "|");

  private static Optional<StorePath> parsed(String text) {
    try {
      return Optional.of(StorePath.parse(text));
    } catch (FerryException e) {
      return Optional.empty();
    }
  }

  @Test
  void storePath_ofAUriPath_isTheSamePath() {
    Generated.check(
        2000,
        input -> {
          Optional<StorePath> path = parsed(input.joined(1, 12, () -> input.of(PARTS)));
          if (path.isPresent()) {
            String uri = HttpRoutes.uriPath(path.get());
            assertThat(HttpRoutes.storePath(uri)).isEqualTo(path.get());
            // A client's URI class must neither refuse nor change it.
            assertThat(URI.create("http://localhost:1" + uri).getRawPath()).isEqualTo(uri);
          }
        });
  }

  @Test
  void storePath_ofAnyText_isRefusedOrBelowTheRoot() {
    Generated.check(
        1000,
        input ->
            assertRefusedOrBelowTheRoot(
                input.joined(0, 12, () -> input.of(PARTS)) + input.text(3)));
  }

  private static void assertRefusedOrBelowTheRoot(String text) {
    Path root = Path.of("/root/of/store");
    try {
      StorePath path = HttpRoutes.storePath(HttpRoutes.FILES + text);
      assertThat(root.resolve(path.value()).normalize())
          .startsWithRaw(root)
          .isNotEqualTo(root)
          .isEqualTo(root.resolve(path.value()));
    } catch (FerryException e) {
      assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_PATH);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "..",
        "../x",
        "a/../x",
        "%2e%2e",
        "%2E%2E/x",
        ".%2e/x",
        "a/%2e/x",
        "%2fetc/passwd",
        "/etc/passwd",
        "a%2Fb",
        "..%2f..%2fx",
        "%00",
        "a%00.txt",
        "a//b",
        "a/",
        "%",
        "%2",
        "%zz",
        "%-1",
        "%c0%ae%c0%ae/x",
        "%c0%af",
        "%e0%80%ae",
        "%ff",
        "%c3",
        "%ed%a0%80",
        "%f5%80%80%80",
        "日本",
        "%uff0e",
        "%.ferry-1",
        ".ferry-x",
        "%2eferry-x",
        ".FERRY-x"
      })
  void storePath_ofAnAttack_isInvalidPath(String raw) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> HttpRoutes.storePath(HttpRoutes.FILES + raw))
        .matches(e -> e.kind() == ErrorKind.INVALID_PATH);
  }

  @Test
  void storePath_ofBackslashesAndControls_isOneName() throws Exception {
    for (String name : List.of("\\..\\x", "a\\b", "\r\nSet-Cookie:x", "\u007f")) {
      StorePath path = StorePath.parse(name);
      assertThat(HttpRoutes.uriPath(path)).matches("/files/[\\x21-\\x7e&&[^\\\\]]+");
      assertThat(HttpRoutes.storePath(HttpRoutes.uriPath(path))).isEqualTo(path);
    }
    assertThat(HttpRoutes.storePath("/files/a\\b")).isEqualTo(StorePath.parse("a\\b"));
  }

  @ParameterizedTest
  @CsvSource({
    "a+b,a+b",
    "a%2Bb,a+b",
    "a%20b,a b",
    "%252e%252e,%2e%2e",
    "%252f,%2f",
    "%c3%a9,é",
    "Ã©,é",
    "%EF%BF%BD,\uFFFD",
    "...,...",
    "a%3Fb%23c,a?b#c"
  })
  void storePath_ofAnOddName_isDecodedOnce(String raw, String expected) throws Exception {
    assertThat(HttpRoutes.storePath(HttpRoutes.FILES + raw).value()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/file", "/files", "/Files/a", "files/a", "/files%2fa"})
  void storePath_outsideTheRoute_isNotFound(String raw) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> HttpRoutes.storePath(raw))
        .matches(e -> e.kind() == ErrorKind.NOT_FOUND);
  }

  @Test
  void directoryPath_withAndWithoutSlash_isTheSame() throws Exception {
    assertThat(HttpRoutes.directoryPath("/files/")).isEqualTo(StorePath.ROOT);
    assertThat(HttpRoutes.directoryPath("/files/a/b/")).isEqualTo(StorePath.parse("a/b"));
    assertThat(HttpRoutes.directoryPath("/files/a/b")).isEqualTo(StorePath.parse("a/b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "a//", "../", "%2e%2e/", "a/../"})
  void directoryPath_ofAnAttack_isInvalidPath(String raw) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> HttpRoutes.directoryPath(HttpRoutes.FILES + raw))
        .matches(e -> e.kind() == ErrorKind.INVALID_PATH);
  }

  @Test
  void digest_ofItsField_isTheSame() {
    Generated.check(
        500, input -> assertIsTheSame(input.bytes(Sha256.LENGTH), new Crc32c(input.anyInt())));
  }

  private static void assertIsTheSame(byte[] bytes, Crc32c crc) throws Exception {
    Sha256 sha256 = Sha256.of(Arrays.copyOf(bytes, Sha256.LENGTH));
    for (Digest digest : List.of(sha256, crc)) {
      String field = HttpRoutes.digestField(digest);
      assertThat(HttpRoutes.digest(field, digest.algorithm())).isEqualTo(digest);
      assertThat(HttpRoutes.digest("sha-512=:AAAA:, " + field, digest.algorithm()))
          .isEqualTo(digest);
      assertThat(HttpRoutes.digests(field)).containsExactly(digest);
    }
    assertThat(HttpRoutes.digests(HttpRoutes.digestField(sha256, crc)))
        .containsExactly(crc, sha256);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "crc32c=:4waSgw==:;p=1",
        "crc32c=:4waSgw==:; p; q=\"x\", sha-512=:AAAA:;p",
        "crc32c=:AAAAAA==:, crc32c=:4waSgw==:"
      })
  void digest_withParametersOrEqualKeys_isThatOfTheLastValue(String field) throws Exception {
    assertThat(HttpRoutes.digests(field)).containsExactly(new Crc32c(0xe3069283));
  }

  @Test
  void digestField_ofCrc32c_isInNetworkOrder() {
    // The digest of "123456789".
    assertThat(HttpRoutes.digestField(new Crc32c(0xe3069283))).isEqualTo("crc32c=:4waSgw==:");
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void digest_withoutOurMember_isNull(Digest.Algorithm algorithm) throws Exception {
    assertThat(HttpRoutes.digest(null, algorithm)).isNull();
    assertThat(HttpRoutes.digest("", algorithm)).isNull();
    assertThat(HttpRoutes.digest("sha-512=:AAAA:", algorithm)).isNull();
    assertThat(HttpRoutes.digest("xsha-256=:AAAA:", algorithm)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sha-256=",
        "sha-256=:",
        "sha-256=::",
        "sha-256=:AAAA:",
        "sha-256=:!:",
        "sha-256=x",
        "sha-256 =:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
        "sha-256= :47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
        "crc32c=:AAAA:",
        "crc32c=x"
      })
  void digest_malformed_isInvalidRequest(String field) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> HttpRoutes.digests(field))
        .matches(e -> e.kind() == ErrorKind.INVALID_REQUEST);
  }

  @Test
  void wantedDigest_ofFields_followsThePreference() {
    assertThat(
            List.of(
                "sha-256=10",
                "crc32c=5, sha-256=10;p=1",
                "sha-512=3, sha-256=1",
                "crc32c=1, sha-256=2",
                "crc32c=0,sha-256=1"))
        .allMatch(field -> HttpRoutes.wantedDigest(field) == Digest.Algorithm.SHA256);
    assertThat(List.of("crc32c=10, sha-256=1", "sha-256=0, crc32c=1", "sha-256=3, crc32c=4"))
        .allMatch(field -> HttpRoutes.wantedDigest(field) == Digest.Algorithm.CRC32C);
    assertThat(List.of("", "sha-512=3", "sha-256=0", "crc32c=0"))
        .allMatch(field -> HttpRoutes.wantedDigest(field) == null);
    assertThat(HttpRoutes.wantedDigest(null)).isNull();
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      assertThat(HttpRoutes.wantedDigest(HttpRoutes.wantField(algorithm))).isEqualTo(algorithm);
    }
  }
}
