package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Generated;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private static Connection connection(String text, List<Integer> sizes) {
    return new Connection(new Arriving(text, sizes), false, new ConnectionPool());
  }

  /** Reads a response to GET, and returns its body. */
  private static String body(Connection connection, ResponseHead head) throws IOException {
    try (ResponseBody body =
        new ResponseBody(connection, connection.reader(), head, "GET", () -> {})) {
      body.begin();
      return new String(body.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static String body(String response) throws IOException {
    Connection connection = connection(response, List.of(1000));
    return body(connection, connection.reader().finalHead());
  }

  /** The characters of values. */
  private static final String VALUES =
      IntStream.concat(
              IntStream.rangeClosed(' ', '~'),
              IntStream.concat(IntStream.of('\t'), IntStream.rangeClosed(0x80, 0xff)))
          .mapToObj(Character::toString)
          .collect(Collectors.joining());

  private static ResponseHead.Field field(Generated input) {
    String name = "X-" + input.chars("abcdefghiyzABCXYZ-_!#.~", 1, 20);
    return new ResponseHead.Field(name, input.chars(VALUES, 0, 50).strip());
  }

  /** How many bytes arrive at a time. */
  private static List<Integer> sizes(Generated input) {
    return input.list(1, 5, () -> input.between(1, 60));
  }

  @Test
  void head_splitAnywhere_hasItsFields() {
    Generated.check(
        300, input -> assertHasFields(input.list(0, 20, () -> field(input)), sizes(input)));
  }

  private static void assertHasFields(List<ResponseHead.Field> fields, List<Integer> sizes)
      throws IOException {
    StringBuilder text =
        new StringBuilder("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n").append(OK);
    for (ResponseHead.Field field : fields) {
      text.append(field.name()).append(':').append(' ').append(field.value()).append("\r\n");
    }
    text.append("Content-Length: 3\r\n\r\nabcHTTP");
    Connection connection = connection(text.toString(), sizes);

    ResponseHead head = connection.reader().finalHead();

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.get("x-early")).isNull();
    for (ResponseHead.Field field : fields) {
      String first =
          fields.stream()
              .filter(f -> f.name().equalsIgnoreCase(field.name()))
              .toList()
              .get(0)
              .value();
      assertThat(head.get(field.name().toUpperCase(Locale.ROOT))).isEqualTo(first);
    }
    assertThat(body(connection, head)).isEqualTo("abc");
  }

  @Test
  void chunks_splitAnywhere_areTheBody() {
    Generated.check(
        300,
        input -> assertAreTheBody(input.list(0, 50, () -> "x" + input.text(39)), sizes(input)));
  }

  private static void assertAreTheBody(List<String> chunks, List<Integer> sizes)
      throws IOException {
    StringBuilder text = new StringBuilder(OK).append("Transfer-Encoding: chunked\r\n\r\n");
    StringBuilder whole = new StringBuilder();
    for (String chunk : chunks) {
      String bytes =
          new String(chunk.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      text.append(Integer.toHexString(bytes.length()))
          .append(";a=b\r\n")
          .append(bytes)
          .append("\r\n");
      whole.append(bytes);
    }
    text.append("000\r\nUnencoded-Digest: later\r\nETag: \"later\"\r\n\r\n");
    Connection connection = connection(text.toString(), sizes);

    ResponseHead head = connection.reader().finalHead();

    assertThat(head.get(HttpRoutes.UNENCODED_DIGEST)).isNull();
    assertThat(body(connection, head)).isEqualTo(whole.toString());
    assertThat(head.get(HttpRoutes.UNENCODED_DIGEST)).isEqualTo("later");
    assertThat(head.get("ETag")).isNull();
  }

  @Test
  void response_cutAnywhere_isNeverWhole() {
    String whole =
        OK
            + "Transfer-Encoding: chunked\r\n\r\n"
            + "4\r\nabcd\r\n10\r\n0123456789abcdef\r\n0\r\nX: y\r\n\r\n";
    for (int end = 0; end < whole.length(); end++) {
      String cut = whole.substring(0, end);
      assertThatThrownBy(() -> body(cut)).as(cut).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void noise_isAResponseOrAFailure() {
    List<String> parts =
        List.of(
            "HTTP/1.1 200 OK\r\n",
            "\r\n",
            "\n",
            ":",
            "0",
            "a",
            "7fffffff",
            "ffffffffffffffff",
            ";x=\"",
            "Content-Length: ",
            "Transfer-Encoding: chunked");
    Generated.check(
        500,
        input ->
            assertIsAResponseOrAFailure(
                input.flag() ? input.text(300) : input.joined(0, 30, () -> input.of(parts))));
  }

  private static void assertIsAResponseOrAFailure(String noise) {
    for (String before : List.of("", OK, OK + "Transfer-Encoding: chunked\r\n\r\n")) {
      try {
        assertThat(body(before + noise)).isNotNull();
      } catch (IOException e) {
        assertThat(e).isInstanceOfAny(ProtocolException.class, EOFException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 +20 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        OK + " Folded: before any field\r\n\r\n",
        OK + "No colon\r\n\r\n",
        OK + ": no name\r\n\r\n",
        OK + "Space before : colon\r\n\r\n",
        OK + "Bare: \r CR\r\n\r\n",
        OK + "Null: \0\r\n\r\n",
        OK + "Content-Length: -1\r\n\r\n",
        OK + "Content-Length: +1\r\n\r\n",
        OK + "Content-Length: 1, 1\r\n\r\n",
        OK + "Content-Length: 0x1\r\n\r\n",
        OK + "Content-Length:\r\n\r\n",
        OK + "Content-Length: 9999999999999999999\r\n\r\n",
        OK + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        OK + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        OK + "Transfer-Encoding: gzip, chunked\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n0x1\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nno trailer\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
      })
  void response_unsound_isRefused(String response) {
    assertThatThrownBy(() -> body(response)).isInstanceOf(ProtocolException.class);
  }

  static List<String> endless() {
    return List.of(
        "H".repeat(70_000),
        OK + "X: " + "x".repeat(70_000),
        OK + "X: y\r\n".repeat(300),
        OK + ("X: " + "y".repeat(600) + "\r\n").repeat(200),
        OK + "X: y\r\n" + " folded\r\n".repeat(10_000),
        "HTTP/1.1 100 Continue\r\n\r\n".repeat(20),
        OK + "Transfer-Encoding: chunked\r\n\r\n1;" + "x".repeat(2000),
        OK + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "X: y\r\n".repeat(300));
  }

  @ParameterizedTest
  @MethodSource("endless")
  void response_withoutEnd_isLimited(String response) {
    for (int size : new int[] {1000, 1_000_000}) {
      Connection connection = connection(response, List.of(size));
      assertThatThrownBy(() -> body(connection, connection.reader().finalHead()))
          .isInstanceOf(ProtocolException.class);
    }
  }

  @Test
  void response_ofAnOldServer_isRead() throws IOException {
    assertThat(body("HTTP/1.0 200\nX: a\n b\n\nuntil the end")).isEqualTo("until the end");
    assertThat(body(OK + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na")).isEqualTo("a");
    Connection folded = connection(OK + "X: a\r\n  b\r\n\tc\r\n\r\n", List.of(7));
    assertThat(folded.reader().head().get("X")).isEqualTo("a b c");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void response_withoutBody_endsWithItsHead(int status) throws IOException {
    for (String fields : List.of("", "Content-Length: 0\r\n")) {
      assertEmpty("HTTP/1.1 " + status + " x\r\n" + fields + "\r\n", true);
    }
    // A body may follow nevertheless.
    for (String fields : List.of("Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n")) {
      assertEmpty("HTTP/1.1 " + status + " x\r\n" + fields + "\r\n", false);
    }
  }

  private static void assertEmpty(String response, boolean kept) throws IOException {
    Connection connection = connection(response, List.of(1000));
    assertThat(body(connection, connection.reader().finalHead())).isEmpty();
    assertThat(connection.transport().isOpen()).as(response).isEqualTo(kept);
  }

  static List<String> spent() {
    return (List.of(
        OK + "Connection: Close\r\nContent-Length: 1\r\n\r\na",
        OK + "Content-Length: 1\r\n\r\nab",
        OK + "\r\na",
        "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na"));
  }

  @ParameterizedTest
  @MethodSource("spent")
  void connection_thatTheServerEnds_isClosed(String response) throws IOException {
    Connection connection = connection(response, List.of(1000));
    assertThat(body(connection, connection.reader().finalHead())).isEqualTo("a");
    assertThat(connection.transport().isOpen()).isFalse();
  }

  @Test
  void connection_thatTheServerKeeps_staysOpen() throws IOException {
    for (String response :
        List.of(
            OK + "Content-Length: 1\r\n\r\na",
            "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na")) {
      Connection connection = connection(response, List.of(1000));
      assertThat(body(connection, connection.reader().finalHead())).isEqualTo("a");
      assertThat(connection.transport().isOpen()).isTrue();
    }
  }
}
