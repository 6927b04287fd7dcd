package dev.ferry.wire.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.StorePath;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.HostName;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;

/** Fields of HTTP and paths of URIs, of requests and of responses. */
final class FieldsFuzzTest implements FuzzTarget {
  private static final long SIZE = 1000;

  /** Bytes of a file whose positions have 18 digits. */
  private static final long LARGEST = 1_000_000_000_000_000_000L;

  private static final AccessRules RULES =
      AccessRules.of(
          ServerSettings.defaults().withHostNames(List.of("files.example")),
          false,
          new InetSocketAddress("localhost", 80));

  /** A parser that refuses what is malformed. */
  @FunctionalInterface
  private interface Parser {
    void parse() throws FerryException;
  }

  @Override
  public void parse(byte[] input) {
    String field = new String(input, StandardCharsets.ISO_8859_1);
    read(() -> digests(field));
    read(() -> path(HttpRoutes.FILES + field));
    read(() -> target(field));
    read(() -> upload(HttpRoutes.UPLOADS + field));
    Digest.Algorithm wanted = HttpRoutes.wantedDigest(field);
    assertThat(wanted == null || HttpRoutes.wantedDigest(HttpRoutes.wantField(wanted)) == wanted)
        .isTrue();
    range(field);
    time(field);
    detail(field, new String(input, StandardCharsets.UTF_8));
    FerryException busy = new FerryException(ErrorKind.OVERLOADED, "busy");
    FerryException hinted = RetryHints.add(busy, field, "Thu, 01 Jan 1970 00:00:00 GMT");
    assertThat(hinted.retryAfter()).isGreaterThanOrEqualTo(Duration.ZERO);
    AccessRules.Refusal refusal = RULES.refusal(List.of(field), List.of());
    assertThat(refusal == null || !refusal.why().contains("\n")).isTrue();
    if (RULES.refusal(List.of("localhost"), List.of(field)) == null) {
      assertThat(field).matches("(?i)http://localhost\\.?(:(0*80)?)?");
    }
    if (RULES.isSame("http", field, "localhost")) {
      assertThat(field).matches("(?i)(localhost|files\\.example)\\.?(:[0-9]{0,5})?");
    }
    host(field);
  }

  private static void read(Parser parser) {
    try {
      parser.parse();
    } catch (FerryException e) {
      assertThat(e.kind())
          .isIn(ErrorKind.INVALID_REQUEST, ErrorKind.INVALID_PATH, ErrorKind.NOT_FOUND);
    }
  }

  private static void digests(String field) throws FerryException {
    List<Digest> digests = HttpRoutes.digests(field);
    assertThat(HttpRoutes.digests(HttpRoutes.digestField(digests.toArray(new Digest[0]))))
        .isEqualTo(digests);
  }

  private static void path(String raw) throws FerryException {
    StorePath folder = HttpRoutes.directoryPath(raw);
    assertThat(HttpRoutes.directoryPath(HttpRoutes.uriPath(folder))).isEqualTo(folder);
    StorePath path = HttpRoutes.storePath(raw);
    assertThat(HttpRoutes.storePath(HttpRoutes.uriPath(path))).isEqualTo(path);
    assertThat(HttpRoutes.uriPath(path)).matches("[!-~]+");
  }

  private static void target(String field) throws FerryException {
    String target = HttpRoutes.linkTarget(field);
    assertThat(HttpRoutes.linkTarget(HttpRoutes.linkField(target))).isEqualTo(target);
  }

  private static void upload(String raw) throws FerryException {
    assertThat(HttpRoutes.uploadPath(HttpRoutes.uploadId(raw))).isEqualToIgnoringCase(raw);
  }

  private static void range(String field) {
    for (long size : new long[] {0, 1, SIZE, LARGEST}) {
      ByteRange range = ByteRange.ofRequest(List.of(field), size);
      if (range != null && !range.isEmpty()) {
        assertThat(range.first()).isBetween(0L, size - 1);
        assertThat(range.length()).isBetween(1L, size - range.first());
        assertThat(ByteRange.ofRequest(List.of(range.requestField()), size)).isEqualTo(range);
      }
    }
    ByteRange.Content content = ByteRange.Content.parse(field);
    if (content != null) {
      assertThat(content.range().first() + content.range().length()).isBetween(1L, content.size());
      assertThat(ByteRange.Content.parse(content.range().contentRange(content.size())))
          .isEqualTo(content);
    }
  }

  private static void time(String field) {
    try {
      var time = HttpRoutes.time(field);
      long unused = time.toEpochMilli();
      assertThat(HttpRoutes.time(HttpRoutes.timeField(time))).isEqualTo(time);
    } catch (DateTimeException e) {
      assertThat(field).isNotEqualTo("2026-01-31T12:00:00.123Z");
    }
  }

  private static void detail(String field, String text) {
    String unused = HttpRoutes.detail(field);
    String encoded = HttpRoutes.detailField(text);
    assertThat(encoded).matches("[ -~]+");
    if (text.length() <= 500) {
      assertThat(HttpRoutes.detail(encoded)).isEqualTo(text);
    }
  }

  private static void host(String field) {
    for (String text :
        new String[] {
          field, new String(field.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
        }) {
      try {
        String host = HostName.canonical(text);
        assertThat(HostName.canonical(host)).isEqualTo(host);
        boolean unused = HostName.fitsUri(host);
      } catch (IllegalArgumentException e) {
        assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
