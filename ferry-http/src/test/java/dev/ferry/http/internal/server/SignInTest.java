package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.StoreRule;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.Caller;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** How people sign in with a browser or a client of WebDAV. */
@Timeout(300)
class SignInTest {
  private static final String OWNER = basic("owner:ferry_secret");

  private static final Map<String, Caller> CALLERS = Map.of("ferry_secret", owner());

  @TempDir Path root;
  private HttpFilesServer server;

  private static Caller owner() {
    try {
      return new Caller("owner", List.of(StoreRule.parse("all:/")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String basic(String credentials) {
    byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(bytes) + "\r\n";
  }

  @BeforeEach
  void start() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root),
            "localhost",
            0,
            4096,
            ServerSettings.defaults().withCallers(CALLERS::get));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String get(String fields) throws IOException {
    return RawHttp.exchange(server.port(), "GET /files/f HTTP/1.1\r\n" + fields);
  }

  @Test
  void get_pageWithoutToken_asksForOne() throws IOException {
    assertThat(get("Accept: text/html\r\nSec-Fetch-Mode: navigate\r\n"))
        .startsWith("HTTP/1.1 401 ")
        .contains("<!doctype html>", "Basic realm=\"Ferry\"");
  }

  @Test
  void get_nameAndToken_isServed() throws IOException {
    assertThat(get(OWNER)).startsWith("HTTP/1.1 200 ").endsWith("hello");
    assertThat(get(OWNER.replace("Basic", "basic "))).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other:ferry_secret",
        "owner:ferry_Secret",
        "owner:",
        "owner",
        ":ferry_secret",
        ""
      })
  void get_otherNameOrToken_isRefused(String credentials) throws IOException {
    assertThat(get(basic(credentials))).startsWith("HTTP/1.1 401 ").doesNotContain("hello");
    assertThat(get(OWNER + OWNER)).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void get_wrongTokens_haveToWait() throws IOException {
    String last = "";
    for (int i = 0; i < 6; i++) {
      last = get(basic("owner:wrong" + i));
    }
    assertThat(last).startsWith("HTTP/1.1 429 ").containsIgnoringCase("\r\nretry-after: ");
    assertThat(get(OWNER)).startsWith("HTTP/1.1 429 ");
    assertThat(get("Authorization: Bearer ferry_secret\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void get_emptyTokens_areNoGuesses() throws IOException {
    for (int i = 0; i < 60; i++) {
      assertThat(get(basic("owner:"))).startsWith("HTTP/1.1 401 ");
    }
    assertThat(get(OWNER)).startsWith("HTTP/1.1 200 ");
  }

  private String page(String fields) throws IOException {
    return RawHttp.exchange(
        server.port(), "GET /files/ HTTP/1.1\r\nAccept: text/html\r\n" + fields);
  }

  @Test
  void page_ofAUser_saysWhoItIs() throws IOException {
    assertThat(page(OWNER)).contains("<bdi>owner</bdi>", "action=\"/sign-out\"");
    assertThat(page("Authorization: Bearer ferry_secret\r\n"))
        .contains("<bdi>owner</bdi>")
        .doesNotContain("/sign-out");
    try (HttpFilesServer open =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults())) {
      String head = "GET /files/ HTTP/1.1\r\nAccept: text/html\r\n" + OWNER;
      assertThat(RawHttp.exchange(open.port(), head))
          .startsWith("HTTP/1.1 200 ")
          .doesNotContain("id=\"user\"", "/sign-out");
    }
  }

  private String signOut(String fields) throws IOException {
    return signOut("", fields);
  }

  private String signOut(String query, String fields) throws IOException {
    return RawHttp.exchange(
        server.port(), "POST /sign-out" + query + " HTTP/1.1\r\nContent-Length: 0\r\n" + fields);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Mode: navigate", "Sec-Fetch-Mode: cors", "X-A: b"})
  void signOut_ofAPassword_refusesIt(String field) throws IOException {
    for (String password : List.of(OWNER, basic("other:x"), "")) {
      String response = signOut(password + field + "\r\n");
      assertThat(response).startsWith("HTTP/1.1 401 ").contains("Signed out");
      assertThat(response.split("(?i)www-authenticate: Basic realm=\"Ferry\"", -1)).hasSize(2);
    }
    for (String response :
        List.of(signOut(basic("signed-out:") + field + "\r\n"), signOut("?done", field + "\r\n"))) {
      assertThat(response)
          .startsWith("HTTP/1.1 200 ")
          .contains("Signed out")
          .doesNotContainIgnoringCase("www-authenticate");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Origin: https://evil.example", "Origin: null"})
  void signOut_forAPageOfAnotherSite_isRefused(String field) throws IOException {
    assertThat(signOut(OWNER + field + "\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContainIgnoringCase("www-authenticate");
  }

  @Test
  void signOut_byAnotherMethod_isNotAllowed() throws IOException {
    assertThat(RawHttp.exchange(server.port(), "GET /sign-out HTTP/1.1\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .containsIgnoringCase("\r\nallow: POST\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "X-A: b, true",
    "Sec-Fetch-Mode: navigate, true",
    "Sec-Fetch-Mode: cors, false",
    "Sec-Fetch-Mode: same-origin, false",
    "X-Requested-With: XMLHttpRequest, false",
    "Authorization: Bearer ferry_wrong, false",
  })
  void get_withoutToken_asksThoseWhoCanShowADialogue(String field, boolean asks)
      throws IOException {
    String response = get(field + "\r\n");
    assertThat(response)
        .startsWith("HTTP/1.1 401 ")
        .containsIgnoringCase("\r\nwww-authenticate: Bearer\r\n");
    assertThat(response.contains("Basic realm=\"Ferry\", charset=\"UTF-8\"")).isEqualTo(asks);
  }

  @ParameterizedTest
  @CsvSource({
    "Sec-Fetch-Site: same-origin|Sec-Fetch-Mode: no-cors, 200",
    "Sec-Fetch-Site: none|Sec-Fetch-Mode: navigate, 200",
    "Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate|Sec-Fetch-Dest: document, 200",
    "Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate|Sec-Fetch-Dest: iframe, 403",
    "Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: no-cors|Sec-Fetch-Dest: image, 403",
    "Sec-Fetch-Site: same-site|Sec-Fetch-Mode: no-cors|Sec-Fetch-Dest: script, 403",
    "Origin: https://evil.example, 403",
    "Origin: null, 403"
  })
  void get_forAPageOfAnotherSite_isRefused(String fields, int status) throws IOException {
    String response = get(OWNER + fields.replace("|", "\r\n") + "\r\n");
    assertThat(response).startsWith("HTTP/1.1 " + status + " ");
    assertThat(response.endsWith("hello")).isEqualTo(status == 200);
  }

  /** What curl does over TLS: it waits as long as the server says, and then has the file. */
  @Test
  void curl_overTls_waitsAfterWrongTokensAndIsServed(@TempDir Path own) throws Exception {
    Path ca = Files.writeString(own.resolve("ca.pem"), TestCertificates.caPem());
    ServerSettings tls =
        ServerSettings.defaults()
            .withCallers(CALLERS::get)
            .withTls(TestCertificates.server(TestCertificates.loopback()));
    try (HttpFilesServer secure =
        HttpFilesServer.start(LocalFileStore.open(root), "localhost", 0, 4096, tls)) {
      String uri = "https://localhost:" + secure.port() + "/files/f";
      List<String> curl =
          List.of("curl", "-s", "-S", "-i", "--http1.1", "--cacert", ca.toString(), uri, "-u");
      assertThat(run(curl, "owner:ferry_secret")).startsWith("HTTP/1.1 200 ").endsWith("hello");
      String refused = run(curl, "other:ferry_secret");
      assertThat(refused).startsWith("HTTP/1.1 401 ").contains("Basic realm=\"Ferry\"");
      // Each wrong one doubles the wait, so in the end a slow machine meets it, too.
      while (refused.startsWith("HTTP/1.1 401 ")) {
        refused = run(curl, "owner:wrong");
      }
      assertThat(refused).startsWith("HTTP/1.1 429 ").containsIgnoringCase("\r\nretry-after: ");
      assertThat(run(curl, "owner:ferry_secret", "--retry", "3"))
          .contains("HTTP/1.1 200 ")
          .endsWith("hello");
    }
  }

  private static String run(List<String> command, String... more) throws Exception {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of(more));
    Process curl;
    try {
      curl = new ProcessBuilder(whole).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new TestAbortedException("curl is not installed", e);
    }
    return new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void takesPasswords_inPlainText_fromThisMachineAlone() {
    assertThat(CallerStores.takesPasswords(null, new InetSocketAddress("127.0.0.1", 1))).isTrue();
    assertThat(CallerStores.takesPasswords(null, new InetSocketAddress("::1", 1))).isTrue();
    assertThat(CallerStores.takesPasswords(null, new InetSocketAddress("192.0.2.1", 1))).isFalse();
    assertThat(CallerStores.takesPasswords(null, null)).isFalse();
  }
}
