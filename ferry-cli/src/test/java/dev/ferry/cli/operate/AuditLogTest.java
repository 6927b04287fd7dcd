package dev.ferry.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServedRequest.CarrierName;
import dev.ferry.wire.ServedRequest.Operation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class AuditLogTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05.678901Z"), ZoneOffset.UTC);
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final long LARGE = 1 << 20;

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("audit.log");
  }

  private AuditLog open(long maxBytes, int kept) throws FerryException {
    return AuditLog.open(new AuditFile(file(), maxBytes, kept), CLOCK);
  }

  private static EndedRequest request(@Nullable String path, @Nullable ErrorKind error) {
    return new EndedRequest(
        new ServedRequest(
            CarrierName.HTTP_2, Operation.UPLOAD, new InetSocketAddress("::1", 1234), TRACE),
        "alice",
        path,
        null,
        42,
        Duration.ofMillis(1500),
        error);
  }

  private List<JsonNode> lines(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.US_ASCII)) {
      return lines.map(AuditLogTest::parse).toList();
    }
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  @Test
  void line_ofARequest_saysWhoDidWhat() throws Exception {
    try (AuditLog log = open(LARGE, 1)) {
      log.ended(request("a/b", ErrorKind.DIGEST_MISMATCH));
    }
    assertThat(file())
        .content()
        .isEqualTo(
            "{\"time\":\"2026-01-02T03:04:05.678Z\",\"carrier\":\"http2\",\"operation\":\"upload\","
                + "\"path\":\"a/b\",\"bytes\":42,\"seconds\":1.5,\"result\":\"digest-mismatch\","
                + "\"caller\":\"alice\",\"peer\":\"[0:0:0:0:0:0:0:1]:1234\",\"traceparent\":\""
                + TRACE
                + "\"}\n");
  }

  @Test
  void line_withoutWhatIsNotKnown_leavesItOut() throws Exception {
    try (AuditLog log = open(LARGE, 1)) {
      log.ended(
          new EndedRequest(
              new ServedRequest(CarrierName.GRPC, Operation.LIST, null, null),
              null,
              null,
              null,
              0,
              Duration.ZERO,
              null));
    }
    assertThat(lines(file()))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.get("result").asText()).isEqualTo("ok");
              assertThat(line.fieldNames())
                  .toIterable()
                  .containsExactly("time", "carrier", "operation", "bytes", "seconds", "result");
            });
  }

  @Test
  void line_ofAMove_hasItsTarget() throws Exception {
    try (AuditLog log = open(LARGE, 1)) {
      log.ended(
          new EndedRequest(
              new ServedRequest(CarrierName.GRPC, Operation.MOVE, null, null),
              "alice",
              "a",
              "b\n",
              0,
              Duration.ZERO,
              null));
    }
    assertThat(file()).content().contains("\"path\":\"a\",\"target\":\"b\\n\",\"bytes\":0,");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\n{\"time\":\"forged\"}",
        "a\r\n",
        "\u0000\u0007\u001b[2J\u007f\u009b",
        "quote\" backslash\\",
        "\u2028\u2029\u0085\u202e",
        "\ud83d",
        "\udc00\ud83d\udc00x",
        "grün 漢字 \ud83d\ude00"
      })
  void line_withAnyPath_isOneLineOfAscii(String path) throws Exception {
    try (AuditLog log = open(LARGE, 1)) {
      log.ended(request(path, null));
      log.ended(request("after", null));
    }
    String text = Files.readString(file(), StandardCharsets.ISO_8859_1);
    assertThat(text.codePoints().filter(c -> c != '\n')).allMatch(c -> c >= ' ' && c < 0x7f);
    assertThat(lines(file()))
        .extracting(line -> line.get("path").asText())
        .containsExactly(path, "after");
  }

  @Test
  void line_withAVeryLongPath_isCut() throws Exception {
    try (AuditLog log = open(LARGE, 1)) {
      log.ended(request("\u0001".repeat(100_000), null));
    }
    assertThat(lines(file()).get(0).get("path").asText()).hasSize(4096 + 3);
  }

  @Test
  void rotation_keepsTheNewestFilesWithinTheirSize() throws Exception {
    long max = 64 * 1024;
    int requests = 2_000;
    try (AuditLog log = open(max, 2)) {
      for (int i = 0; i < requests; i++) {
        log.ended(request("f" + i, null));
      }
    }
    List<Path> files =
        List.of(folder.resolve("audit.log.2"), folder.resolve("audit.log.1"), file());
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).containsExactlyInAnyOrderElementsOf(files);
    }
    int next = -1;
    for (Path each : files) {
      assertThat(Files.size(each)).isLessThanOrEqualTo(max);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .isEqualTo("rw-------");
      for (JsonNode line : lines(each)) {
        int number = Integer.parseInt(line.get("path").asText().substring(1));
        assertThat(number).isEqualTo(next < 0 ? number : next);
        next = number + 1;
      }
    }
    assertThat(next).isEqualTo(requests);
  }

  @Test
  void open_onAFileWithHalfALine_goesOnBehindItAndMakesItPrivate() throws Exception {
    Files.writeString(file(), "{\"time\":\"bef");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    try (AuditLog log = open(LARGE, 1)) {
      log.ended(request("a", null));
    }
    assertThat(Files.readAllLines(file()))
        .satisfiesExactly(
            half -> assertThat(half).isEqualTo("{\"time\":\"bef"),
            line -> assertThat(parse(line).get("path").asText()).isEqualTo("a"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void write_thatFailsForAWhile_isCountedAndNotedInTheFile() throws Exception {
    Path blocked = Files.createDirectory(folder.resolve("audit.log.1"));
    Path inside = Files.createFile(blocked.resolve("x"));
    int sent = 500;
    try (AuditLog log = open(64 * 1024, 1)) {
      for (int i = 0; i < sent; i++) {
        log.ended(request("f" + i, null));
      }
      // The end of a full file may have room for a line that tells what was lost.
      while (Files.readAllLines(file()).stream().filter(l -> l.contains("path")).count()
              + log.lost()
          < sent) {
        Thread.onSpinWait();
      }
      assertThat(log.lost()).isPositive();
      Files.delete(inside);
      log.ended(request("last", null));
    }
    List<JsonNode> full = lines(blocked);
    assertThat(lines(file()))
        .satisfiesExactly(
            lost -> assertThat(lost.path("lost").asInt()).isEqualTo(sent - full.size()),
            last -> assertThat(last.path("path").asText()).isEqualTo("last"));
  }

  @Test
  void open_whereNoFileCanBe_fails() {
    Path file = folder.resolve("none/audit.log");
    FerryException failure =
        catchThrowableOfType(
            FerryException.class, () -> AuditLog.open(new AuditFile(file, LARGE, 1), CLOCK));
    assertThat(failure)
        .hasMessageStartingWith("--audit-log: " + file + " cannot be written (")
        .hasMessageEndingWith("); check its folder and the permissions there");
    assertThat(
            catchThrowableOfType(
                FerryException.class, () -> AuditLog.open(new AuditFile(folder, LARGE, 1), CLOCK)))
        .isNotNull();
  }
}
