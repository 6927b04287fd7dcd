package dev.ferry.http.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.GuardedStore;
import dev.ferry.core.ReadOnlyStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a folder, and what browsers are told of files. */
@Timeout(300)
class FolderPageTest {
  private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";
  private static final int MAX_BYTES = 60 * 1024;

  private final HttpClient client = HttpClient.newBuilder().version(Version.HTTP_1_1).build();

  @TempDir Path root;

  @SuppressWarnings("NullAway.Init") // Started before each test.
  private HttpFilesServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path, String accept) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
            .header("Accept", accept)
            .build(),
        BodyHandlers.ofString());
  }

  private static String field(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        BROWSER + "| text/html; charset=utf-8",
        "text/html;q=0.5, application/json | application/json",
        "application/json, text/html | application/json",
        "text/html, application/json | text/html; charset=utf-8",
        "text/html;q=0, */* | application/json",
        "*/* | application/json",
        "TEXT/HTML | application/json"
      })
  void get_folder_isWhatTheClientPrefers(String accept, String type) throws Exception {
    HttpResponse<String> response = get("/files/", accept);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(field(response, "Content-Type")).isEqualTo(type);
    assertThat(field(response, "Vary")).isEqualToIgnoringCase("accept");
  }

  @Test
  void get_page_runsOnlyItsOwnScript() throws Exception {
    Files.writeString(root.resolve("<script>x"), "hello");
    HttpResponse<String> first = get("/files/", BROWSER);
    Matcher nonce = Pattern.compile("<script [^>]*nonce=\"([^\"]+)\"").matcher(first.body());
    assertThat(nonce.find()).isTrue();
    assertThat(field(first, "Content-Security-Policy"))
        .contains(
            "default-src 'none'",
            "script-src 'nonce-" + nonce.group(1) + "'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(first.body())
        .contains("&lt;script&gt;x")
        .doesNotContain("<script>x", "{{", " style=", " onclick=");
    assertThat(get("/files/", BROWSER).body()).doesNotContain(nonce.group(1));
    // Without a referrer, forms would come from the origin null.
    assertThat(field(first, "Referrer-Policy")).isEqualTo("same-origin");
  }

  @Test
  void get_assets_areKeptForGoodAndSmall() throws Exception {
    String page = get("/files/", BROWSER).body();
    int bytes = page.length();
    Matcher asset = Pattern.compile("(?:href|src)=\"(/page/[^\"]+)\"").matcher(page);
    List<String> types = new ArrayList<>();
    while (asset.find()) {
      HttpResponse<String> response = get(asset.group(1), "*/*");
      assertThat(field(response, "Cache-Control")).contains("immutable");
      types.add(field(response, "Content-Type"));
      bytes += response.body().getBytes(StandardCharsets.UTF_8).length;
    }
    assertThat(types).containsExactly("text/css; charset=utf-8", "text/javascript; charset=utf-8");
    assertThat(bytes).isLessThan(MAX_BYTES);
    assertThat(get("/page/0000000000000000/page.js", "*/*").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {BROWSER, "*/*", "application/json"})
  void get_root_leadsToTheFilesAndRobotsAway(String accept) throws Exception {
    HttpResponse<String> response = get("/", accept);
    assertThat(response.statusCode()).isEqualTo(302);
    assertThat(field(response, "Location")).isEqualTo("/files/");
    assertThat(get("/robots.txt", "*/*").body()).isEqualTo("User-agent: *\nDisallow: /\n");
  }

  @Test
  void get_whatIsMissing_isAPageForPeopleAndAProblemForPrograms() throws Exception {
    HttpResponse<String> page = get("/files/%3Cb%3E", BROWSER);
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(field(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(field(page, "Ferry-Error")).isEqualTo("urn:ferry:error:not-found");
    assertThat(page.body()).contains("&lt;b&gt;: no such file").doesNotContain("<b>");
    HttpResponse<String> problem = get("/files/%3Cb%3E", "*/*");
    assertThat(field(problem, "Content-Type")).isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @CsvSource({
    "/files/%zz, 400",
    "/files/?after=%zz, 400",
    "/files/?after=%ff, 200",
    "/files/?after=a/b, 200",
    "/files/?zip=%zz, 200",
    "/files/?%zz, 400",
    "/files/?list, 200",
    "/page/, 404"
  })
  void get_malformedUri_isNoFailureOfTheServer(String path, int status) throws Exception {
    String head = "GET " + path + " HTTP/1.1\r\nAccept: text/html\r\n";
    assertThat(RawHttp.exchange(server.port(), head)).startsWith("HTTP/1.1 " + status + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "a.png, image/png",
    "A.JPG, image/jpeg",
    "v.mp4, video/mp4",
    "n.txt, text/plain; charset=utf-8",
    "p.html, text/html; charset=utf-8",
    "s.svg, image/svg+xml",
    "s.js, text/plain; charset=utf-8",
    "s.mjs, text/plain; charset=utf-8",
    "d.pdf, application/pdf",
    "noextension, application/octet-stream",
    "x.unknown, application/octet-stream"
  })
  void get_file_hasItsTypeAndRunsNothing(String name, String type) throws Exception {
    Files.writeString(root.resolve(name), "<script>alert(1)</script>");
    HttpResponse<String> response = get("/files/" + name, "*/*");
    assertThat(field(response, "Content-Type")).isEqualTo(type);
    assertThat(field(response, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(field(response, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
    assertThat(field(response, "Content-Security-Policy"))
        .isEqualTo(
            name.equals("d.pdf") ? "frame-ancestors 'self'" : "sandbox; frame-ancestors 'self'");
    assertThat(field(response, "Content-Disposition"))
        .isEqualTo("inline; filename=\"" + name + "\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain.txt | inline; filename=\"plain.txt\"",
        "a b | inline; filename=\"a b\"",
        "ä\"\\ | inline; filename=\"___\"; filename*=UTF-8''%C3%A4%22%5C",
        "50%.csv | inline; filename=\"50_.csv\"; filename*=UTF-8''50%25.csv",
        "a\\r\\nX: y | inline; filename=\"a__X: y\"; filename*=UTF-8''a%0D%0AX%3A%20y"
      })
  void disposition_ofAnyName_isOneField(String name, String field) {
    assertThat(ContentFields.disposition("inline", name.replace("\\r", "\r").replace("\\n", "\n")))
        .isEqualTo(field);
  }

  @Test
  void get_moreEntriesThanAPage_leadToTheNextOne() throws Exception {
    for (int i = 0; i <= FolderPage.ENTRIES; i++) {
      Files.createFile(root.resolve("%04d &".formatted(i)));
    }
    String first = get("/files/", BROWSER).body();
    assertThat(first)
        .contains("<a href=\"?after=0099%20%26\">")
        .contains(">0099 &amp;<")
        .doesNotContain(">0100 &amp;<");
    assertThat(get("/files/?after=0099%20%26", BROWSER).body())
        .contains(">0100 &amp;<")
        .doesNotContain(">0099 &amp;<", "?after=");
  }

  @Test
  void of_callersAndReadOnlyStores_saysWhatTheyMayDo() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    Files.createDirectory(root.resolve("inbox"));
    StorePath inbox = StorePath.parse("inbox");
    assertThat(FolderPage.permissions(store, inbox)).isEqualTo("read list create write delete all");
    assertThat(FolderPage.permissions(new ReadOnlyStore(store), inbox)).isEqualTo("read list");
    GuardedStore drop = guarded(store, "create:/inbox");
    assertThat(FolderPage.permissions(drop, inbox)).isEqualTo("create");
    assertThat(FolderPage.of(drop, inbox, null, "", BasePath.NONE).html())
        .contains("You may upload files here");
    assertThat(FolderPage.permissions(guarded(store, "all:/inbox"), StorePath.ROOT)).isEmpty();
    assertThat(FolderPage.permissions(new ReadOnlyStore(guarded(store, "write:/")), inbox))
        .isEmpty();
  }

  @Test
  void of_aMissingFolderOfARule_isEmptyForWhoMayCreateThere() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    StorePath home = StorePath.parse("home");
    assertThat(FolderPage.of(guarded(store, "all:/home/"), home, null, "", BasePath.NONE).html())
        .contains("This folder is empty.");
    assertThat(
            FolderPage.of(guarded(store, "all:/home/"), StorePath.ROOT, null, "", BasePath.NONE)
                .html())
        .contains("<a href=\"home/\" class=\"folder\">");
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(
            () ->
                FolderPage.of(
                    guarded(store, "list:/new/"), new StorePath("new"), null, "", BasePath.NONE))
        .matches(e -> e.kind() == ErrorKind.NOT_FOUND);
  }

  @Test
  void user_isNamedAsItIsAndMaySignOutOfAPassword() {
    BasePath base = BasePath.parse("/a-b");
    assertThat(FolderPage.user(null, true, base)).isEmpty();
    assertThat(FolderPage.user("<b>'al\"", true, base))
        .contains("<bdi>&lt;b&gt;&#39;al&quot;</bdi>", "action=\"/a-b/sign-out\"");
    assertThat(FolderPage.user("alice", false, base))
        .contains("<bdi>alice</bdi>")
        .doesNotContain("form", "button");
  }

  private static GuardedStore guarded(LocalFileStore store, String rule) throws FerryException {
    return new GuardedStore(store, "alice", List.of(StoreRule.parse(rule)));
  }

  @Test
  void get_hostileNames_areAllServed() throws Exception {
    List<String> names = new ArrayList<>();
    for (String a : HostileNamesTest.PARTS) {
      for (String b : HostileNamesTest.PARTS) {
        if (names.size() < 1000 && !(a + b).contains("/")) {
          String name = a + "." + b;
          Files.write(root.resolve(name), TestFiles.random(3));
          names.add(name);
        }
      }
    }
    assertThat(get("/files/", BROWSER).statusCode()).isEqualTo(200);
    for (String name : names) {
      String path = HttpRoutes.uriPath(StorePath.parse(name));
      HttpResponse<String> response = get(path, BROWSER);
      assertThat(response.statusCode()).as(name).isEqualTo(200);
      assertThat(field(response, "Content-Disposition")).startsWith("inline; filename=");
    }
  }
}
