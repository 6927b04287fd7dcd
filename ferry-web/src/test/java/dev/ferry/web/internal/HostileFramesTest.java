package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are not sound end with a status of their own, and the server goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HostileFramesTest {
  private static final String WEB = "application/grpc-web+proto";
  private static final String TEXT = "application/grpc-web-text+proto";

  @TempDir static Path root = Path.of("");
  private WebFilesServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeAll
  void start() throws IOException {
    server =
        WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @AfterEach
  void stillServes() throws Exception {
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
    Response upload = upload(WEB, join(frame(0, facts()), frame(0, chunk(10))));
    assertThat(upload.status()).isEqualTo("0");
    TestFiles.awaitTree(root, "f");
    java.nio.file.Files.delete(root.resolve("f"));
  }

  private record Response(String status, String message, String kind) {}

  private Response upload(String type, byte[] body, String... fields) throws Exception {
    return call("ferry.v1.Files/Upload", type, body, fields);
  }

  private Response call(String method, String type, byte[] body, String... fields)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/" + method))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (fields.length > 0) {
      request.headers(fields);
    }
    HttpResponse<byte[]> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    String trailers =
        response.headers().firstValue("grpc-status").isPresent()
            ? response.headers().map().toString()
            : trailers(type, response.body());
    return new Response(
        field(trailers, "grpc-status"),
        field(trailers, "grpc-message"),
        field(trailers, "ferry-error"));
  }

  /** The last frame of a body. */
  private static String trailers(String type, byte[] body) {
    byte[] plain = body;
    if (type.equals(TEXT)) {
      ByteArrayOutputStream decoded = new ByteArrayOutputStream();
      for (String part : new String(body, StandardCharsets.US_ASCII).split("(?<==)(?!=)", -1)) {
        decoded.writeBytes(Base64.getDecoder().decode(part));
      }
      plain = decoded.toByteArray();
    }
    ByteBuffer frames = ByteBuffer.wrap(plain);
    while (frames.hasRemaining()) {
      int flag = frames.get();
      byte[] message = new byte[frames.getInt()];
      frames.get(message);
      if (flag < 0) {
        return new String(message, StandardCharsets.US_ASCII);
      }
    }
    return "";
  }

  private static String field(String text, String name) {
    var found = java.util.regex.Pattern.compile(name + "(?:: ?|=\\[)([^\\r\\n\\]]*)").matcher(text);
    return found.find() ? found.group(1) : "";
  }

  private static byte[] facts() {
    return FilePart.newBuilder()
        .setFacts(FileFacts.newBuilder().setName("f"))
        .build()
        .toByteArray();
  }

  private static byte[] chunk(int size) {
    return FilePart.newBuilder()
        .setChunk(ByteString.copyFrom(TestFiles.random(size, 1)))
        .build()
        .toByteArray();
  }

  private static byte[] frame(int flag, byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) flag)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes);
    }
    return compressed.toByteArray();
  }

  private static void assertRefused(Response response, String kind) {
    assertThat(response.kind()).as("%s", response).isEqualTo(kind);
    assertThat(response.status()).isNotIn("", "0", "2");
    assertThat(response.message()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 0x40, 0x80, 0xff})
  void upload_frameWithStrangeFlags_isRefused(int flag) throws Exception {
    byte[] body = join(frame(0, facts()), frame(flag, chunk(10)));
    assertRefused(upload(WEB, body), "invalid-request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffff", "80000000", "00400001"})
  void upload_frameOfGreatLength_isRefused(String length) throws Exception {
    byte[] head = join(new byte[1], java.util.HexFormat.of().parseHex(length), new byte[100]);
    assertRefused(upload(WEB, join(frame(0, facts()), head)), "too-large");
    assertRefused(
        upload(TEXT, Base64.getEncoder().encode(join(frame(0, facts()), head))), "too-large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ferry.v1.Files/Stat", "grpc.health.v1.Health/Check"})
  void call_longMessageThatIsTheOnlyOne_isRefusedAtItsLength(String method) throws Exception {
    byte[] head = java.util.HexFormat.of().parseHex("0000010001");
    assertRefused(call(method, WEB, head), "too-large");
  }

  @Test
  void upload_cutAnywhere_isIncomplete() throws Exception {
    byte[] whole = join(frame(0, facts()), frame(0, chunk(10)));
    int first = frame(0, facts()).length;
    for (int end = 1; end < whole.length; end++) {
      if (end != first) {
        byte[] cut = Arrays.copyOf(whole, end);
        assertRefused(upload(WEB, cut), "incomplete");
        assertRefused(upload(TEXT, Base64.getEncoder().encode(cut)), "incomplete");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"AAAA*AAA", "AA AAAAA", "A===", "AA=A", "=AAA", "AAA\r"})
  void upload_badBase64_isRefused(String text) throws Exception {
    byte[] good = Base64.getEncoder().encode(frame(0, facts()));
    byte[] body = join(good, text.getBytes(StandardCharsets.US_ASCII));
    assertRefused(upload(TEXT, body), "invalid-request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "AA", "AAA", "AA="})
  void upload_cutBase64_isIncomplete(String text) throws Exception {
    byte[] good = Base64.getEncoder().encode(frame(0, facts()));
    byte[] body = join(good, text.getBytes(StandardCharsets.US_ASCII));
    assertRefused(upload(TEXT, body), "incomplete");
  }

  @Test
  void upload_textInPaddedParts_isStored() throws Exception {
    byte[] body =
        join(
            Base64.getEncoder().encode(frame(0, facts())),
            Base64.getEncoder().encode(frame(0, chunk(10))));
    assertThat(upload(TEXT, body).status()).isEqualTo("0");
    assertThat(root.resolve("f")).binaryContent().isEqualTo(TestFiles.random(10, 1));
    java.nio.file.Files.delete(root.resolve("f"));
  }

  @Test
  void upload_unknownEncoding_isUnimplemented() throws Exception {
    Response response = upload(WEB, frame(0, facts()), "grpc-encoding", "snappy");
    assertThat(response.status()).isEqualTo("12");
    assertThat(response.message()).contains("snappy").contains("gzip");
  }

  @Test
  void upload_compressedWithoutEncoding_isRefused() throws Exception {
    byte[] body = join(frame(0, facts()), frame(1, gzip(chunk(10))));
    assertRefused(upload(WEB, body), "invalid-request");
  }

  @Test
  void upload_corruptGzip_isRefused() throws Exception {
    byte[] compressed = gzip(chunk(1000));
    compressed[compressed.length - 6] ^= 1;
    for (byte[] bad :
        new byte[][] {compressed, chunk(100), new byte[0], Arrays.copyOf(compressed, 20)}) {
      byte[] body = join(frame(0, facts()), frame(1, bad));
      assertRefused(upload(WEB, body, "grpc-encoding", "gzip"), "invalid-request");
    }
  }

  @Test
  void upload_gzipBomb_isRefused() throws Exception {
    byte[] bomb =
        gzip(
            FilePart.newBuilder()
                .setChunk(ByteString.copyFrom(new byte[50_000_000]))
                .build()
                .toByteArray());
    byte[] body = join(frame(0, facts()), frame(1, bomb));
    Response response = upload(WEB, body, "grpc-encoding", "gzip");
    assertThat(response.kind()).isIn("too-large", "invalid-request");
  }

  @ParameterizedTest
  @ValueSource(strings = {WEB, TEXT})
  void upload_messagesThatExpand_areRefusedUnlessTheSizeIsAnnounced(String type) throws Exception {
    int count = 15;
    byte[] zeros =
        FilePart.newBuilder()
            .setChunk(ByteString.copyFrom(new byte[1_000_000]))
            .build()
            .toByteArray();
    byte[] chunk = frame(1, gzip(zeros));
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      chunks.writeBytes(chunk);
    }
    byte[] silent = join(frame(0, facts()), chunks.toByteArray());
    Response refused = upload(type, encoded(type, silent), "grpc-encoding", "gzip");
    assertRefused(refused, "too-large");
    assertThat(refused.message()).contains("decompresses to more than 200 times what was sent");
    TestFiles.awaitTree(root);

    byte[] facts =
        FilePart.newBuilder()
            .setFacts(FileFacts.newBuilder().setName("f").setSize(count * 1_000_000L))
            .build()
            .toByteArray();
    byte[] open = join(frame(0, facts), chunks.toByteArray());
    assertThat(upload(type, encoded(type, open), "grpc-encoding", "gzip").status()).isEqualTo("0");
    assertThat(root.resolve("f")).hasSize(count * 1_000_000L);
    java.nio.file.Files.delete(root.resolve("f"));
  }

  private static byte[] encoded(String type, byte[] body) {
    return type.equals(TEXT) ? Base64.getEncoder().encode(body) : body;
  }

  @Test
  void stat_secondMessage_isRefused() throws Exception {
    Response response =
        call("ferry.v1.Files/Stat", WEB, join(frame(0, new byte[0]), frame(0, new byte[0])));
    assertRefused(response, "invalid-request");
  }

  @Test
  void anyMethod_unknown_isUnimplemented() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.port() + "/ferry.v1.Files/Nothing"))
            .header("Content-Type", WEB)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isIn(200, 404);
  }
}
