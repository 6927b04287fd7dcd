package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ferry.core.FileFacts;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.Caller;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server answers clients of WebDAV. */
@Timeout(300)
class WebDavTest {
  private static final String EXCLUSIVE =
      "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype>"
          + "<owner>me &amp; <href>x</href></owner></lockinfo>";

  /** Tokens of callers, without which nobody is asked for one. */
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "ferry_all", new Caller("owner", rules("all:/")),
          "ferry_read", new Caller("reader", rules("read:/", "list:/")),
          "ferry_write", new Caller("writer", rules("read:/", "list:/", "write:/")),
          "ferry_in", new Caller("sender", rules("create:/in")),
          "ferry_d", new Caller("replacer", rules("read:/", "list:/", "create:/", "delete:/d")));

  @TempDir Path root;

  @SuppressWarnings("NullAway.Init") // Started before each test.
  private HttpFilesServer server;

  private static List<StoreRule> rules(String... texts) {
    try {
      StoreRule[] rules = new StoreRule[texts.length];
      for (int i = 0; i < rules.length; i++) {
        rules[i] = StoreRule.parse(texts[i]);
      }
      return List.of(rules);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = start(ServerSettings.defaults());
  }

  private HttpFilesServer start(ServerSettings settings) throws IOException {
    return HttpFilesServer.start(LocalFileStore.open(root), "localhost", 0, 65536, settings);
  }

  private void startWithCallers() throws IOException {
    server.close();
    server = start(ServerSettings.defaults().withCallers(CALLERS::get));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String exchange(String head) throws IOException {
    return exchange(head, "");
  }

  private String exchange(String head, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String length = bytes.length == 0 ? "" : "Content-Length: " + bytes.length + "\r\n";
    return RawHttp.exchange(server.port(), head + length, bytes);
  }

  private static void assertStatus(String response, int status) {
    assertThat(response).startsWith("HTTP/1.1 " + status + " ");
  }

  private String lock(String path, String fields) throws IOException {
    String response = exchange("LOCK " + path + " HTTP/1.1\r\n" + fields, EXCLUSIVE);
    Matcher token = Pattern.compile("(?i)\nlock-token: <([^>]+)>").matcher(response);
    assertThat(token.find()).as(response).isTrue();
    return token.group(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "/", "/files/", "/files/f", "/files/no"})
  void options_sayWhatThereIs(String path) throws IOException {
    String response = exchange("OPTIONS " + path + " HTTP/1.1\r\n");
    assertStatus(response, 200);
    assertThat(response).contains("DAV: 1, 2\r\n").containsPattern("(?i)allow: .*PROPFIND");
  }

  @Test
  void otherMethods_haveTheAllowedOnes() throws IOException {
    String response = exchange("BREW /files/f HTTP/1.1\r\n");
    assertStatus(response, 405);
    assertThat(response).containsPattern("(?i)allow: OPTIONS, GET, .*PUT");
    String health = exchange("PUT /health HTTP/1.1\r\n");
    assertStatus(health, 405);
    assertThat(health).containsPattern("(?i)allow: GET, HEAD\r");
    assertStatus(exchange("GET /uploads/x HTTP/1.1\r\n"), 404);
    String upload = exchange("GET " + HttpRoutes.uploadPath(UploadId.random()) + " HTTP/1.1\r\n");
    assertStatus(upload, 405);
    assertThat(upload).containsPattern("(?i)allow: .*PATCH, DELETE\r");
  }

  @Test
  void health_isForEveryone() throws IOException {
    startWithCallers();
    assertStatus(exchange("GET /files/ HTTP/1.1\r\n"), 401);
    assertThat(exchange("GET /health HTTP/1.1\r\n")).startsWith("HTTP/1.1 200 ").endsWith("ok\n");
    assertThat(exchange("HEAD /health HTTP/1.1\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("\r\n\r\n");
  }

  @Test
  void propfind_depths_areTheFileAndItsEntries() throws IOException {
    Files.createDirectory(root.resolve("d & d"));
    Files.writeString(root.resolve("d & d/ä<b>"), "hello");
    Files.createSymbolicLink(root.resolve("d & d/out"), Path.of("/etc"));
    Files.setLastModifiedTime(
        root.resolve("d & d/ä<b>"), FileTime.from(Instant.parse("2020-01-02T03:04:05Z")));
    String zero = exchange("PROPFIND /files/d%20%26%20d HTTP/1.1\r\nDepth: 0\r\n");
    assertStatus(zero, 207);
    assertThat(zero)
        .contains("<D:href>/files/d%20%26%20d/</D:href>", "<D:collection/>", "d &amp; d<")
        .doesNotContain("hello", "quota");
    String one = exchange("PROPFIND /files/d%20%26%20d/ HTTP/1.1\r\nDepth: 1\r\n");
    assertThat(one)
        .contains(
            "<D:href>/files/d%20%26%20d/%C3%A4%3Cb%3E</D:href>",
            "<D:getcontentlength>5<", "<D:getlastmodified>Thu, 02 Jan 2020 03:04:05 GMT<")
        .containsPattern("<D:getetag>&quot;5-[0-9a-f.-]+&quot;<")
        .doesNotContain("out");
    String infinite = exchange("PROPFIND /files/ HTTP/1.1\r\n");
    assertStatus(infinite, 403);
    assertThat(infinite).contains("<D:propfind-finite-depth/>");
    assertStatus(exchange("PROPFIND /files/no HTTP/1.1\r\nDepth: 0\r\n"), 404);
    assertStatus(exchange("PROPFIND /files/ HTTP/1.1\r\nDepth: 2\r\n"), 400);
  }

  @Test
  void propfind_names_areFoundOrNot() throws IOException {
    String body =
        "<a:propfind xmlns:a='DAV:'><a:prop><a:quota-available-bytes/><a:resourcetype/>"
            + "<b:x xmlns:b='urn:\"b'/><a:getcontentlength/></a:prop></a:propfind>";
    String found = exchange("PROPFIND /files/ HTTP/1.1\r\nDepth: 0\r\n", body);
    assertThat(found)
        .containsPattern("<D:quota-available-bytes>[0-9]+<")
        .contains(
            "<D:propstat><D:prop><x xmlns=\"urn:&quot;b\"/><D:getcontentlength/></D:prop>"
                + "<D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>");
    String names =
        exchange(
            "PROPFIND /files/ HTTP/1.1\r\nDepth: 0\r\n",
            "<propfind xmlns='DAV:'><propname/></propfind>");
    assertThat(names).contains("<D:resourcetype/>").doesNotContain("<D:collection/>");
  }

  @Test
  void propfind_manyEntries_areSentAsTheyAreRead() throws IOException {
    int entries = 100_000;
    server.close();
    server =
        HttpFilesServer.start(
            new ForwardingStore(LocalFileStore.open(root)) {
              @Override
              public Listing list(StorePath directory) {
                return new Listing() {
                  private int next;

                  @Override
                  public @Nullable FileFacts next() {
                    return next++ < entries
                        ? new FileFacts("f" + next, 1, Instant.EPOCH, false, null)
                        : null;
                  }

                  @Override
                  public void close() {}
                };
              }
            },
            "localhost",
            0,
            65536,
            ServerSettings.defaults());
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PROPFIND /files/ HTTP/1.0\r\n"
              + "Host: localhost\r\n"
              + "Depth: 1\r\n"
              + "Content-Length: 82\r\n\r\n"
              + "<propfind xmlns='DAV:'><prop><resourcetype/><getcontentlength/></prop></propfind"
              + " >");
      String all = raw.readAll();
      assertThat(all.split("<D:response>", -1).length).isEqualTo(entries + 2);
      assertThat(all).contains("</D:multistatus>");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "D:lastmodified, 1577934245",
    "D:getlastmodified, 'Thu, 02 Jan 2020 03:04:05 GMT'",
    "Z:Win32LastModifiedTime, 'Thu, 02 Jan 2020 03:04:05 GMT'"
  })
  void proppatch_times_areKept(String property, String time) throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    String response =
        exchange(
            "PROPPATCH /files/f HTTP/1.1\r\n",
            update(
                "set",
                "<Z:Win32FileAttributes>20</Z:Win32FileAttributes><%1$s>%2$s</%1$s>"
                    .formatted(property, time)));
    assertStatus(response, 207);
    assertThat(response).contains(" 200 OK").doesNotContain(" 403 ");
    assertThat(Files.getLastModifiedTime(root.resolve("f")).toInstant())
        .isEqualTo(Instant.parse("2020-01-02T03:04:05Z"));
  }

  private static String update(String change, String properties) {
    return ("<D:propertyupdate xmlns:D='DAV:' xmlns:Z='urn:schemas-microsoft-com:' xmlns:x='urn:x'>"
            + "<D:%1$s><D:prop>%2$s</D:prop></D:%1$s></D:propertyupdate>")
        .formatted(change, properties);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<x:dead>1</x:dead>",
        "<D:getetag>1</D:getetag>",
        "<D:lastmodified>x</D:lastmodified>"
      })
  void proppatch_otherProperties_areRefusedAndNothingIsSet(String property) throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    FileTime before = Files.getLastModifiedTime(root.resolve("f"));
    String response =
        exchange(
            "PROPPATCH /files/f HTTP/1.1\r\n",
            update("set", "<D:getlastmodified>1577934245</D:getlastmodified>" + property));
    assertStatus(response, 207);
    assertThat(response).contains("HTTP/1.1 403 Forbidden", "HTTP/1.1 424 Failed Dependency");
    assertThat(Files.getLastModifiedTime(root.resolve("f"))).isEqualTo(before);
    assertThat(exchange("PROPPATCH /files/f HTTP/1.1\r\n", update("remove", "<x:dead/>")))
        .contains("200 OK");
    assertStatus(exchange("PROPPATCH /files/f HTTP/1.1\r\n", "<x/>"), 400);
  }

  @Test
  void put_timeOfOwncloud_isKept() throws IOException {
    assertStatus(exchange("PUT /files/f HTTP/1.1\r\nX-OC-Mtime: 1577934245\r\n", "x"), 201);
    assertThat(Files.getLastModifiedTime(root.resolve("f")).toMillis())
        .isEqualTo(Instant.parse("2020-01-02T03:04:05Z").toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "a, /files/new, 201",
    "a, /files/b, 412",
    "a, /files/b|Overwrite: T, 204",
    "a, /files/a|Overwrite: T, 403",
    "a, /files/d, 412",
    "a, /files/d|Overwrite: T, 412",
    "a, /files/d/|Overwrite: T, 204",
    "a, /files/no/b, 409",
    "a, /files/new|If-Match: \"other\", 412",
    "a, /files/new|Depth: 1, 400",
    "no, /files/new, 404",
    "d/, /files/new/, 201",
    "d/, /files/new/|Depth: 0, 201",
    "d/, /files/d/x, 403",
    "d/, /files/b|Overwrite: T, 204",
    "d, /files/b|Overwrite: T, 412",
    "d/e, /files/d/|Overwrite: T, 403"
  })
  void copy_hasTheStatusesOfWebdav(String source, String fields, int status) throws IOException {
    Files.writeString(root.resolve("a"), "a");
    Files.writeString(root.resolve("b"), "b");
    Files.createDirectories(root.resolve("d/e"));
    Files.writeString(root.resolve("d/e/f"), "f");
    Files.setLastModifiedTime(root.resolve("a"), FileTime.fromMillis(1_000_000));
    List<String> before = TestFiles.names(root);
    String response =
        exchange(
            "COPY /files/"
                + source
                + " HTTP/1.1\r\nDestination: "
                + fields.replace("|", "\r\n")
                + "\r\n");
    assertStatus(response, status);
    assertThat(root.resolve("a")).hasContent("a");
    if (status >= 400) {
      assertThat(TestFiles.names(root)).containsExactlyInAnyOrderElementsOf(before);
      assertThat(root.resolve("b")).hasContent("b");
      assertThat(root.resolve("d/e/f")).hasContent("f");
    } else if (source.equals("a")) {
      Path target = root.resolve(fields.replaceAll("/files/([a-z]+).*", "$1"));
      assertThat(target).hasContent("a");
      assertThat(Files.getLastModifiedTime(target).toMillis()).isEqualTo(1_000_000);
    } else {
      String target = fields.replaceAll("/files/([a-z]+).*", "$1");
      assertThat(Files.exists(root.resolve(target + "/e/f"))).isEqualTo(!fields.contains("0"));
    }
    assertThat(TestFiles.names(root)).noneMatch(name -> name.contains("replaced"));
  }

  @Test
  void copy_directoryWithWhatCannotBeCopied_saysSoAndCopiesTheRest() throws IOException {
    Files.createDirectories(root.resolve("d/sub"));
    Files.writeString(root.resolve("d/sub/f"), "f");
    Files.createSymbolicLink(root.resolve("d/out"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(root.resolve("d/folder"), Path.of("sub"));
    Files.createSymbolicLink(root.resolve("d/file"), Path.of("sub/f"));
    String response = exchange("COPY /files/d/ HTTP/1.1\r\nDestination: /files/n/\r\n");
    assertStatus(response, 207);
    assertThat(response)
        .contains("<D:href>/files/d/out</D:href><D:status>HTTP/1.1 403", "/files/d/folder");
    assertThat(TestFiles.names(root.resolve("n")))
        .containsExactlyInAnyOrder("sub", "sub/f", "file");
  }

  @Test
  void delete_withTheSlash_deletesAllButNotWhatLinksLeadTo() throws IOException {
    Files.createDirectories(root.resolve("d/sub/deep"));
    Files.createDirectories(root.resolve("kept"));
    Files.writeString(root.resolve("kept/f"), "f");
    Files.writeString(root.resolve("d/sub/f"), "f");
    Files.createSymbolicLink(root.resolve("d/sub/link"), Path.of("../../kept"));
    Files.createSymbolicLink(root.resolve("d/broken"), Path.of("no"));
    Files.createSymbolicLink(root.resolve("top"), Path.of("kept"));
    assertStatus(exchange("DELETE /files/d HTTP/1.1\r\n"), 409);
    assertStatus(exchange("DELETE /files/d/ HTTP/1.1\r\n"), 204);
    assertStatus(exchange("DELETE /files/top/ HTTP/1.1\r\n"), 204);
    assertThat(TestFiles.names(root)).containsExactlyInAnyOrder("kept", "kept/f");
  }

  @Test
  void move_overAFolder_replacesItAsAWhole() throws IOException {
    Files.createDirectories(root.resolve("d/old"));
    Files.createDirectories(root.resolve("s/new"));
    String head = "MOVE /files/s/ HTTP/1.1\r\nDestination: /files/d/\r\n";
    assertStatus(exchange(head), 412);
    assertStatus(exchange(head + "Overwrite: T\r\n"), 204);
    assertThat(TestFiles.names(root)).containsExactlyInAnyOrder("d", "d/new");
    assertStatus(
        exchange("MOVE /files/no/ HTTP/1.1\r\nDestination: /files/d/\r\nOverwrite: T\r\n"), 404);
    assertThat(root.resolve("d/new")).exists();
  }

  @Test
  void copy_overAFolderThatTheCallerMayDeleteAlone_replacesItOrMovesItBack() throws IOException {
    startWithCallers();
    Files.createDirectories(root.resolve("d/old/deep"));
    Files.createDirectories(root.resolve("s/new"));
    Files.createSymbolicLink(root.resolve("s/zzz"), Path.of("new"));
    String head =
        "COPY /files/s/ HTTP/1.1\r\nDestination: /files/d/\r\nOverwrite: T\r\n"
            + "Authorization: Bearer ferry_d\r\n";
    assertStatus(exchange(head), 207);
    assertThat(TestFiles.names(root))
        .containsExactlyInAnyOrder("d", "d/old", "d/old/deep", "s", "s/new", "s/zzz");
    Files.delete(root.resolve("s/zzz"));
    assertStatus(exchange(head), 204);
    assertThat(TestFiles.names(root)).containsExactlyInAnyOrder("d", "d/new", "s", "s/new");
  }

  @Test
  void lock_exclusive_isForItsTokenAlone() throws IOException {
    Files.createDirectory(root.resolve("d"));
    Files.writeString(root.resolve("d/f"), "hello");
    String token = lock("/files/d/f", "Depth: 0\r\nTimeout: Second-99\r\n");
    for (String change :
        List.of(
            "PUT /files/d/f HTTP/1.1\r\n",
            "DELETE /files/d/f HTTP/1.1\r\n",
            "PROPPATCH /files/d/f HTTP/1.1\r\n",
            "MOVE /files/d/f HTTP/1.1\r\nDestination: /files/x\r\n",
            "MOVE /files/d HTTP/1.1\r\nDestination: /files/x\r\n",
            "DELETE /files/d/ HTTP/1.1\r\n",
            "LOCK /files/d/ HTTP/1.1\r\n")) {
      String body =
          change.startsWith("LOCK")
              ? EXCLUSIVE
              : change.startsWith("PROP") ? update("set", "") : "";
      assertThat(exchange(change, body))
          .as(change)
          .startsWith("HTTP/1.1 423 ")
          .contains("urn:ferry:error:locked");
    }
    assertThat(exchange("PROPFIND /files/d/f HTTP/1.1\r\nDepth: 0\r\n"))
        .contains("<D:timeout>Second-99<", token, "<D:owner><D:href>x</D:href></D:owner>");
    String held = "PUT /files/d/f HTTP/1.1\r\nIf: (<" + token + ">)\r\n";
    assertStatus(exchange(held, "x"), 204);
    assertStatus(exchange(held.replace(">)", ">[\"no\"])"), "x"), 412);
    assertStatus(exchange(held.replace("(<", "<("), "x"), 400);
    // Each condition may ask the store.
    String many = "([\"no\"])".repeat(64);
    assertStatus(exchange("PUT /files/d/f HTTP/1.1\r\nIf: " + many + "\r\n", "x"), 412);
    assertStatus(exchange("PUT /files/d/f HTTP/1.1\r\nIf: " + many + "([\"a\"])\r\n", "x"), 400);
    String unlock = "UNLOCK /files/d/f HTTP/1.1\r\nLock-Token: <" + token + ">\r\n";
    assertStatus(exchange(unlock), 204);
    assertStatus(exchange(unlock), 409);
    assertStatus(exchange("DELETE /files/d/f HTTP/1.1\r\n"), 204);
  }

  @Test
  void lock_whileAFileArrives_keepsItOut() throws IOException {
    Files.writeString(root.resolve("f"), "before");
    for (int size : new int[] {10, 200_000}) {
      try (RawHttp raw = new RawHttp(server.port())) {
        raw.send(
            "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
                + size
                + "\r\nConnection: close\r\n\r\n");
        assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
        String token = lock("/files/f", "");
        raw.send("x".repeat(size));
        assertThat(raw.readAll()).startsWith("HTTP/1.1 423 ");
        assertStatus(exchange("UNLOCK /files/f HTTP/1.1\r\nLock-Token: <" + token + ">\r\n"), 204);
      }
      assertThat(root.resolve("f")).hasContent("before");
    }
  }

  @Test
  void lock_directory_isForAllBelowIt() throws IOException {
    Files.createDirectory(root.resolve("d"));
    String token = lock("/files/d/", "Depth: infinity\r\n");
    assertStatus(exchange("PUT /files/d/new HTTP/1.1\r\n", "x"), 423);
    assertStatus(
        exchange("PUT /files/d/new HTTP/1.1\r\nIf: </files/d/> (<" + token + ">)\r\n", "x"), 201);
    assertStatus(exchange("MKCOL /files/d/e HTTP/1.1\r\n"), 423);
    assertThat(exchange("LOCK /files/d/new HTTP/1.1\r\nIf: (<" + token + ">)\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .contains("<D:depth>infinity<");
    assertStatus(exchange("PUT /files/other HTTP/1.1\r\n", "x"), 201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void replace_lockedFolder_byItsToken_isComplete(String method) throws IOException {
    for (String folder : List.of("from", "to")) {
      Files.createDirectory(root.resolve(folder));
      Files.writeString(root.resolve(folder + "/" + folder), folder);
    }
    String token = lock("/files/to/", "Depth: infinity\r\n");
    String request =
        method
            + " /files/from/ HTTP/1.1\r\nDestination: /files/to/\r\nOverwrite: T\r\n"
            + "If: </files/to/> (<"
            + token
            + ">)\r\n";
    assertStatus(exchange(request), 204);
    assertThat(root.resolve("to")).isDirectoryContaining("glob:**/from");
    try (Stream<Path> left = Files.list(root)) {
      assertThat(left).hasSize(method.equals("COPY") ? 2 : 1);
    }
  }

  @Test
  void delete_folderWithALockedFile_byItsToken_deletesAll() throws IOException {
    Files.createDirectory(root.resolve("d"));
    for (String name : List.of("a", "b", "c")) {
      Files.writeString(root.resolve("d/" + name), name);
    }
    String token = lock("/files/d/a", "");
    assertStatus(
        exchange("DELETE /files/d/ HTTP/1.1\r\nIf: </files/d/a> (<" + token + ">)\r\n"), 204);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void copy_folderIntoItselfThroughALink_ends() throws IOException {
    Files.createDirectories(root.resolve("a/sub"));
    Files.writeString(root.resolve("a/sub/f"), "hello");
    Files.createSymbolicLink(root.resolve("l"), Path.of("a/sub"));
    assertThat(exchange("COPY /files/a/ HTTP/1.1\r\nDestination: /files/l/x\r\n"))
        .startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("a/sub/x/sub/f")).hasContent("hello");
    assertThat(root.resolve("a/sub/x/sub/x")).doesNotExist();
  }

  @Test
  void propfind_longNamespace_isRefused() throws IOException {
    String body = "<a:propfind xmlns:a='%s'/>".formatted("x".repeat(257));
    assertStatus(exchange("PROPFIND /files/ HTTP/1.1\r\nDepth: 0\r\n", body), 400);
  }

  @Test
  void propfind_xmlBeyondALimit_isRefused() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    String find = "<propfind xmlns='DAV:'>%s<allprop/></propfind>";
    String deep = "<a>".repeat(15) + "</a>".repeat(15);
    String many = "<a/>".repeat(510);
    String large = "<!--" + "x".repeat(65_400) + "-->";
    for (String within : List.of(deep, many, large)) {
      assertStatus(find(find.formatted(within)), 207);
    }
    assertStatus(find(find.formatted("<a>" + deep + "</a>")), 400);
    assertStatus(find(find.formatted(many + "<a/>")), 400);
    assertStatus(find(find.formatted(large + "x".repeat(200))), 413);
    String type = "<!DOCTYPE propfind [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>";
    assertThat(find(type + find.formatted("&a;")))
        .startsWith("HTTP/1.1 400 ")
        .contains("has a document type, which is not read");
    assertStatus(find(find.formatted("&a;")), 400);
  }

  private String find(String body) throws IOException {
    return exchange("PROPFIND /files/f HTTP/1.1\r\nDepth: 0\r\n", body);
  }

  @Test
  void lock_newName_makesAnEmptyFile() throws IOException {
    String large = EXCLUSIVE.replace("<href>x", "<href>" + "x".repeat(2000));
    assertStatus(exchange("LOCK /files/new HTTP/1.1\r\n", large), 400);
    assertThat(root.resolve("new")).doesNotExist();
    String response = exchange("LOCK /files/new HTTP/1.1\r\n", EXCLUSIVE);
    assertStatus(response, 201);
    assertThat(root.resolve("new")).isEmptyFile();
  }

  @Test
  void locks_end_whenTheirTimeIsOver() throws Exception {
    long[] now = {0};
    WebDavLocks locks = new WebDavLocks(() -> now[0]);
    StorePath path = StorePath.parse("a/b");
    locks.add(path, true, false, "", "", "a", 10);
    assertThat(locks.below(StorePath.ROOT)).hasSize(1);
    now[0] = 10_000_000_000L;
    assertThat(locks.covering(path)).isEmpty();
    assertThat(locks.isEmpty()).isTrue();
    // Each holder gets half of what the others leave.
    for (int i = 0; i < WebDavLocks.MAX_LOCKS / 2; i++) {
      locks.add(StorePath.parse("f" + i), true, false, "", "", "a", 10);
    }
    for (int i = 0; i < WebDavLocks.MAX_LOCKS / 4; i++) {
      locks.add(StorePath.parse("g" + i), true, false, "", "", "b", 10);
    }
    StorePath another = StorePath.parse("g");
    assertThat(catchKind(() -> locks.add(another, true, false, "", "", "b", 10)))
        .contains("too many locks");
    assertThat(locks.add(another, true, false, "", "", "c", 10).path()).isEqualTo(another);
    assertThat(catchKind(() -> locks.add(path, true, false, "", "", "a", 10)))
        .contains("too many locks");
    now[0] = 20_000_000_000L;
    assertThat(locks.add(path, true, false, "", "", "a", 10).path()).isEqualTo(path);
  }

  private static String catchKind(ThrowingCallable call) {
    return String.valueOf(catchThrowable(call).getMessage());
  }

  @Test
  void callers_doWhatTheirRulesSayAlone() throws IOException {
    startWithCallers();
    Files.writeString(root.resolve("f"), "hello");
    Files.createDirectory(root.resolve("in"));
    String reader = "Authorization: Bearer ferry_read\r\n";
    String sender = "Authorization: Bearer ferry_in\r\n";
    assertStatus(exchange("PROPFIND /files/ HTTP/1.1\r\nDepth: 1\r\n" + reader), 207);
    assertStatus(exchange("LOCK /files/f HTTP/1.1\r\n" + reader, EXCLUSIVE), 403);
    assertStatus(exchange("COPY /files/f HTTP/1.1\r\nDestination: /files/g\r\n" + reader), 403);
    assertStatus(
        exchange(
            "PROPPATCH /files/f HTTP/1.1\r\n" + reader,
            update("set", "<D:lastmodified>1</D:lastmodified>")),
        403);
    assertThat(exchange("PROPFIND /files/ HTTP/1.1\r\nDepth: 1\r\n" + sender))
        .startsWith("HTTP/1.1 207 ")
        .contains("/files/in/")
        .doesNotContain("/files/f");
    assertStatus(exchange("PROPFIND /files/f HTTP/1.1\r\nDepth: 0\r\n" + sender), 404);
    assertStatus(exchange("COPY /files/f HTTP/1.1\r\nDestination: /files/in/f\r\n" + sender), 404);
    assertStatus(exchange("LOCK /files/f HTTP/1.1\r\n" + sender, EXCLUSIVE), 404);
    // Who may only make files in a folder does not keep others out of it.
    assertStatus(exchange("LOCK /files/in/ HTTP/1.1\r\n" + sender, EXCLUSIVE), 403);
    assertStatus(exchange("LOCK /files/in/new HTTP/1.1\r\n" + sender, EXCLUSIVE), 403);
    assertThat(root.resolve("in/new")).doesNotExist();
    String token = lock("/files/f", "Authorization: Bearer ferry_all\r\n");
    // What the rules hide is not locked either, and a token is of use to its caller alone.
    assertStatus(exchange("PUT /files/f HTTP/1.1\r\n" + sender, "x"), 404);
    assertStatus(
        exchange("UNLOCK /files/f HTTP/1.1\r\nLock-Token: <" + token + ">\r\n" + reader), 409);
    assertThat(root.resolve("g")).doesNotExist();
  }

  @Test
  void unlock_byWhoMayDoAll_endsTheLockOfAnother() throws IOException {
    startWithCallers();
    Files.writeString(root.resolve("f"), "hello");
    String token = lock("/files/f", "Authorization: Bearer ferry_write\r\n");
    String owner = "Authorization: Bearer ferry_all\r\n";
    assertStatus(exchange("DELETE /files/f HTTP/1.1\r\n" + owner), 423);
    String unlock = "UNLOCK /files/f HTTP/1.1\r\nLock-Token: <" + token + ">\r\n";
    assertStatus(exchange(unlock + "Authorization: Bearer ferry_read\r\n"), 409);
    assertStatus(exchange(unlock + owner), 204);
    assertStatus(exchange("DELETE /files/f HTTP/1.1\r\n" + owner), 204);
  }
}
