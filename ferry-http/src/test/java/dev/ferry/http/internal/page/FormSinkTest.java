package dev.ferry.http.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads by a form, of browsers and of {@code curl -F}. */
@Timeout(300)
class FormSinkTest {
  static final String TYPE = "multipart/form-data; boundary=XX";

  @TempDir Path root;

  static String file(String disposition, String content) {
    return "--XX\r\nContent-Disposition: form-data; "
        + disposition
        + "\r\nContent-Type: text/plain\r\n\r\n"
        + content
        + "\r\n";
  }

  private String post(String type, String form, String... fields) throws Exception {
    Files.createDirectories(root.resolve("d"));
    try (HttpFilesServer server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults())) {
      byte[] body = form.getBytes(StandardCharsets.UTF_8);
      String head =
          "POST /files/d/ HTTP/1.1\r\nContent-Type: "
              + type
              + "\r\nContent-Length: "
              + body.length
              + "\r\n"
              + String.join("", fields);
      return RawHttp.exchange(server.port(), head, body);
    }
  }

  @Test
  void post_files_storesThem() throws Exception {
    String form =
        file("name=\"file\"; filename=\"a.txt\"", "one")
            + file("name=file; filename=b", "")
            + file("name=\"file\"; filename=\"sub/c ä.txt\"", "--XX\r\n--X\r\n")
            + file("name=\"file\"; filename=\"\"", "nothing was chosen")
            + "--XX--\r\n";
    assertThat(post(TYPE, form))
        .startsWith("HTTP/1.1 201 ")
        .containsIgnoringCase("location: /files/d/\r\n")
        .contains("[\"d/a.txt\",\"d/b\",\"d/sub/c ");
    assertThat(root.resolve("d/a.txt")).hasContent("one");
    assertThat(root.resolve("d/b")).isEmptyFile();
    assertThat(Files.readString(root.resolve("d/sub/c ä.txt"))).isEqualTo("--XX\r\n--X\r\n");
    assertThat(TestFiles.names(root)).hasSize(5);
  }

  @Test
  void post_ofABrowser_leadsBackToTheFolder() throws Exception {
    String form = file("name=\"file\"; filename=\"a\"", "one") + "--XX--\r\n";
    assertThat(post(TYPE, form, "Accept: text/html\r\n"))
        .startsWith("HTTP/1.1 303 ")
        .containsIgnoringCase("location: /files/d/\r\n");
  }

  @Test
  void post_ofAPageOfAnotherSite_storesNothing() throws Exception {
    String form = file("name=\"file\"; filename=\"a\"", "one") + "--XX--\r\n";
    for (String origin : List.of("http://evil.example", "null")) {
      assertThat(post(TYPE, form, "Origin: " + origin + "\r\n")).startsWith("HTTP/1.1 403 ");
    }
    assertThat(TestFiles.names(root)).containsExactly("d");
    assertThat(post(TYPE, form, "Origin: http://localhost\r\n")).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void post_fileThatExists_isReplacedOnlyIfAskedFor() throws Exception {
    Files.createDirectories(root.resolve("d"));
    Files.writeString(root.resolve("d/a"), "old");
    String part = file("name=\"file\"; filename=\"a\"", "new");
    assertThat(post(TYPE, part + "--XX--\r\n"))
        .startsWith("HTTP/1.1 409 ")
        .contains("already-exists");
    assertThat(root.resolve("d/a")).hasContent("old");
    assertThat(post(TYPE, file("name=\"replace\"", "1") + part + "--XX--\r\n"))
        .startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("d/a")).hasContent("new");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "filename=\"a%22b\" | a\"b",
        "filename=\"a\\\"b\" | a\"b",
        "filename=\"a\\\" | a\\",
        "filename=\"x;y=z.txt\" | x;y=z.txt",
        "filename=\"50%25.txt\" | 50%25.txt",
        "filename=\"x\"; filename*=UTF-8''%e2%82%ac+ | €+",
        "filename=plain.txt | plain.txt"
      })
  void post_names_areThoseOfTheClient(String field, String name) throws Exception {
    assertThat(post(TYPE, file("name=\"file\"; " + field, "x") + "--XX--\r\n"))
        .startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("d").resolve(name)).hasContent("x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../a", "/etc/a", "a/../b", "..", ".", "a//b", "sub/", ".ferry-x", "a\u0000b"})
  void post_namesThatLeaveTheFolder_storeNothing(String name) throws Exception {
    assertThat(post(TYPE, file("name=\"file\"; filename=\"" + name + "\"", "x") + "--XX--\r\n"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(TestFiles.names(root)).containsExactly("d");
  }

  @Test
  void post_nameTooManyFoldersDeep_storesNothing() throws Exception {
    String name = "x/".repeat(2000) + "f";
    assertThat(post(TYPE, file("name=\"file\"; filename=\"" + name + "\"", "x") + "--XX--\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("256 folders deep");
    assertThat(TestFiles.names(root)).containsExactly("d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--XX",
        "--XX--",
        "--XX\r\n",
        "--XXX\r\n",
        "--XX\r\n\r\n\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\nxxx",
        "--XX\r\nContent-Disposition: form-data; filename=\"a\"",
        "--XX\r\nContent-Disposition: attachment; filename=\"a\"\r\n\r\nx\r\n--XX--",
        "--XX\r\nX: y\r\n\r\nx\r\n--XX--"
      })
  void post_brokenForm_storesNothing(String form) throws Exception {
    String status = form.equals("--XX--") ? "HTTP/1.1 201 " : "HTTP/1.1 400 ";
    assertThat(post(TYPE, form)).startsWith(status);
    assertThat(TestFiles.names(root)).containsExactly("d");
  }

  @Test
  void post_headOrTypeOutOfBounds_isRefused() throws Exception {
    assertThat(post(TYPE, "--XX\r\nX: " + "y".repeat(300_000))).startsWith("HTTP/1.1 400 ");
    for (String type : List.of("multipart/form-data", "multipart/form-data; boundary=\"\"")) {
      assertThat(post(type, "--XX--")).startsWith("HTTP/1.1 400 ");
    }
    assertThat(post("multipart/form-data; charset=utf-8; boundary=\"XX\"", "--XX--"))
        .startsWith("HTTP/1.1 201 ");
  }
}
