package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server below a path, as proxies have it that pass the path on or take it away. */
@Timeout(120)
final class BasePathServerTest {
  private static final String BROWSER = "Accept: text/html\r\n";

  @TempDir Path root;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectory(root.resolve("dir"));
    Files.writeString(root.resolve("dir/f"), "hello");
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root),
            "localhost",
            0,
            65_536,
            ServerSettings.defaults().withBasePath("/ferry"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String exchange(String request, String... fields) throws IOException {
    String all = fields.length == 0 ? "" : String.join("\r\n", fields).strip() + "\r\n";
    return RawHttp.exchange(server.port(), request + " HTTP/1.1\r\n" + all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/ferry", "http://localhost/ferry"})
  void requests_withAndWithoutThePath_areServedAndLeadBelowIt(String before) throws Exception {
    assertThat(exchange("GET " + before + "/files/dir/f")).endsWith("\r\n\r\nhello");
    assertThat(exchange("GET " + before + "/health")).startsWith("HTTP/1.1 200 ");
    assertThat(exchange("GET " + before + "/"))
        .startsWith("HTTP/1.1 302 ")
        .containsIgnoringCase("\r\nlocation: /ferry/files/\r\n");
    assertThat(exchange("GET " + before + "/files/dir?zip"))
        .startsWith("HTTP/1.1 301 ")
        .containsIgnoringCase("\r\nlocation: /ferry/files/dir/?zip\r\n");
    assertThat(exchange("HEAD " + before + "/files/dir"))
        .containsIgnoringCase("\r\nlocation: /ferry/files/dir/\r\n");
    assertThat(exchange("PROPFIND " + before + "/files/dir/", "Depth: 1"))
        .contains("<D:href>/ferry/files/dir/</D:href>", "<D:href>/ferry/files/dir/f</D:href>");
  }

  @Test
  void request_forThePathAlone_leadsToTheFiles() throws Exception {
    assertThat(exchange("GET /ferry")).containsIgnoringCase("\r\nlocation: /ferry/files/\r\n");
    assertThat(exchange("GET /ferryman/files/dir/f")).startsWith("HTTP/1.1 404 ");
    assertThat(exchange("GET /ferry/files/dir/f", "Origin: http://other.example"))
        .startsWith("HTTP/1.1 403 ");
  }

  @Test
  void page_andItsAssets_areBelowThePath() throws Exception {
    String page = exchange("GET /ferry/files/dir/", BROWSER);
    assertThat(page).contains("href=\"/ferry/files/\"", "href=\"/ferry/files/dir/\"");
    Matcher asset = Pattern.compile("(?:src|href)=\"(/ferry/page/[^\"]+)\"").matcher(page);
    for (int i = 0; i < 2; i++) {
      assertThat(asset.find()).isTrue();
      assertThat(exchange("GET " + asset.group(1))).startsWith("HTTP/1.1 200 ");
    }
    assertThat(exchange("GET /ferry/files/none", BROWSER))
        .startsWith("HTTP/1.1 404 ")
        .contains("<a href=\"/ferry/files/\">", "href=\"/ferry/page/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/files/g", "/ferry/files/g", "http://localhost/ferry/files/g"})
  void move_toADestination_isDone(String destination) throws Exception {
    assertThat(exchange("MOVE /ferry/files/dir/f", "Destination: " + destination))
        .startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("g")).hasContent("hello");
  }

  @Test
  void lock_andItsCondition_haveThePath() throws Exception {
    String body =
        "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope>"
            + "<locktype><write/></locktype></lockinfo>";
    String locked =
        RawHttp.exchange(
            server.port(),
            "LOCK /ferry/files/dir/f HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n",
            body.getBytes(StandardCharsets.US_ASCII));
    assertThat(locked).contains("<D:lockroot><D:href>/ferry/files/dir/f</D:href></D:lockroot>");
    Matcher token = Pattern.compile("<(urn:uuid:[^>]+)>").matcher(locked);
    assertThat(token.find()).isTrue();
    assertThat(exchange("DELETE /ferry/files/dir/f")).startsWith("HTTP/1.1 423 ");
    String tagged = "If: <http://localhost/ferry/files/dir/f> (<" + token.group(1) + ">)";
    assertThat(exchange("DELETE /ferry/files/dir/f", tagged)).startsWith("HTTP/1.1 204 ");
  }

  @Test
  void upload_thatGoesOn_isBelowThePath() throws Exception {
    String begun =
        RawHttp.exchange(
            server.port(),
            "PUT /ferry/files/up HTTP/1.1\r\nUpload-Complete: ?0\r\n"
                + "Upload-Draft-Interop-Version: 6\r\nContent-Length: 3\r\n",
            "abc".getBytes(StandardCharsets.US_ASCII));
    assertThat(begun).startsWith("HTTP/1.1 104 ").contains("HTTP/1.1 201 ");
    Matcher location =
        Pattern.compile("(?i)\r\nlocation: (/ferry/uploads/\\w+)\r\n").matcher(begun);
    for (int i = 0; i < 2; i++) {
      assertThat(location.find()).isTrue();
      assertThat(exchange("HEAD " + location.group(1))).containsIgnoringCase("upload-offset: 3");
    }
  }

  @Test
  void form_thatIsStored_leadsBackToItsFolder() throws Exception {
    String form =
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"n\"\r\n\r\nabc\r\n--x--";
    assertThat(
            RawHttp.exchange(
                server.port(),
                "POST /ferry/files/dir/ HTTP/1.1\r\n"
                    + BROWSER
                    + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: "
                    + form.length()
                    + "\r\n",
                form.getBytes(StandardCharsets.US_ASCII)))
        .startsWith("HTTP/1.1 303 ")
        .containsIgnoringCase("\r\nlocation: /ferry/files/dir/\r\n");
  }

  @Test
  void client_ofServersBelowAPath_usesIt() throws Exception {
    Servers servers =
        Servers.of(List.of(new Servers.Address("127.0.0.1", server.port())), "/ferry");
    try (Carrier carrier = HttpFiles.connect(servers, null, null)) {
      assertThat(carrier.stat(StorePath.parse("dir/f"), null, CallLimits.DEFAULT).size())
          .isEqualTo(5);
      carrier.change(
          new Change.Move(StorePath.parse("dir/f"), StorePath.parse("g"), false),
          CallLimits.DEFAULT);
    }
    assertThat(root.resolve("g")).hasContent("hello");
  }
}
