package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.RawHttp2;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are served, by their Host and Origin. */
class AccessTest {
  private static final String REBOUND = "evil.example";
  private static final String FOREIGN = "http://evil.example";

  @TempDir Path root;

  @BeforeEach
  void makeFile() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
  }

  private HttpFilesServer start(ServerSettings settings) throws FerryException {
    return HttpFilesServer.start(LocalFileStore.open(root), "localhost", 0, 4096, settings);
  }

  private static String exchange(HttpFilesServer server, String request) throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(request);
      return raw.readAll();
    }
  }

  private static String get(String fields) {
    return "GET /files/f HTTP/1.1\r\n" + fields + "Connection: close\r\n\r\n";
  }

  @ParameterizedTest
  @CsvSource({
    "Host: localhost, 200",
    "Host: 127.0.0.1:7080, 200",
    "Host: evil.example, 421",
    "Host: localhost.evil.example:7080, 421",
    "X: y, 400",
    "Host:, 400",
    "Host: a b, 400",
    "Host: user@localhost, 400"
  })
  void get_host_mustBeANameOfLoopback(String field, int status) throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults())) {
      String response = exchange(server, get(field + "\r\n"));
      assertThat(response).startsWith("HTTP/1.1 " + status + " ");
      if (status == 200) {
        assertThat(response).endsWith("hello");
      } else {
        assertThat(response)
            .contains("application/problem+json", "urn:ferry:error:invalid-request")
            .doesNotContain("hello");
      }
    }
  }

  @Test
  void get_twoHosts_isRefused() throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults())) {
      assertThat(exchange(server, get("Host: localhost\r\nHost: localhost\r\n")))
          .startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void get_absoluteForm_isJudgedByItsOwnHostToo() throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults())) {
      String rest = "/files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      assertThat(exchange(server, "GET http://evil.example" + rest)).startsWith("HTTP/1.1 421 ");
      assertThat(exchange(server, "GET http://localhost" + rest))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("hello");
    }
  }

  @Test
  void get_hostThatWasNamed_isServed() throws IOException {
    ServerSettings named = ServerSettings.defaults().withHostNames(List.of("files.example"));
    try (HttpFilesServer server = start(named)) {
      assertThat(exchange(server, get("Host: files.example:8443\r\n"))).startsWith("HTTP/1.1 200 ");
      assertThat(exchange(server, get("Host: evil.example\r\n")))
          .startsWith("HTTP/1.1 421 ")
          .contains("--host-name evil.example");
    }
  }

  @Test
  void get_portOfEveryAddress_servesAnyHostUntilOneIsNamed() throws IOException {
    LocalFileStore store = LocalFileStore.open(root);
    ServerSettings any = ServerSettings.defaults();
    try (HttpFilesServer server = HttpFilesServer.start(store, "0.0.0.0", 0, 4096, any)) {
      assertThat(exchange(server, get("Host: files.example\r\n"))).startsWith("HTTP/1.1 200 ");
      assertThat(exchange(server, get("X: y\r\n"))).startsWith("HTTP/1.1 400 ");
    }
    ServerSettings named = any.withHostNames(List.of("files.example"));
    try (HttpFilesServer server = HttpFilesServer.start(store, "0.0.0.0", 0, 4096, named)) {
      assertThat(exchange(server, get("Host: evil.example\r\n"))).startsWith("HTTP/1.1 421 ");
      assertThat(exchange(server, get("Host: 127.0.0.1\r\n"))).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FOREIGN, "null", "https://localhost", "http://localhost:1"})
  void put_foreignOrigin_writesNothing(String origin) throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults())) {
      for (String path : List.of("/files/new", "/files/f")) {
        String response = exchange(server, put(path, "localhost", origin));
        assertThat(response)
            .startsWith("HTTP/1.1 403 ")
            .contains("urn:ferry:error:permission-denied", "may not use this server");
      }
      for (String method : List.of("GET", "HEAD", "OPTIONS", "POST", "DELETE")) {
        String response =
            exchange(
                server,
                method
                    + " /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: "
                    + origin
                    + "\r\n\r\n");
        assertThat(response).startsWith("HTTP/1.1 403 ").doesNotContain("hello");
      }
    }
    assertThat(TestFiles.names(root)).containsExactly("f");
    assertThat(root.resolve("f")).hasContent("hello");
  }

  @Test
  void put_reboundPage_writesNothing() throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults())) {
      assertThat(exchange(server, put("/files/new", REBOUND, FOREIGN))).startsWith("HTTP/1.1 421 ");
    }
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  @Test
  void put_pageOfTheServerItself_isStored() throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults())) {
      String host = "localhost:" + server.port();
      assertThat(exchange(server, put("/files/new", host, "http://" + host)))
          .startsWith("HTTP/1.1 201 ");
    }
    assertThat(root.resolve("new")).hasContent("world");
  }

  @Test
  void put_originThatIsAllowed_isStored() throws IOException {
    CrossOrigin allowed = new CrossOrigin(List.of("https://example.org"));
    try (HttpFilesServer server = start(ServerSettings.defaults().withAllowedOrigins(allowed))) {
      assertThat(exchange(server, put("/files/new", "localhost", "https://example.org")))
          .startsWith("HTTP/1.1 201 ");
      assertThat(exchange(server, put("/files/new", "localhost", FOREIGN)))
          .startsWith("HTTP/1.1 403 ");
    }
  }

  /** A preflight permits a page of an allowed origin what the server has, and others nothing. */
  @Test
  void preflight_ofEachMethod_isForAllowedOriginsAlone() throws IOException {
    CrossOrigin allowed = new CrossOrigin(List.of("https://example.org"));
    try (HttpFilesServer server = start(ServerSettings.defaults().withAllowedOrigins(allowed))) {
      String allow = field(exchange(server, from("OPTIONS", "https://example.org")), "Allow");
      for (String method : (allow + ", POST, PATCH").split(", ", -1)) {
        String preflight =
            from("OPTIONS", "%s")
                .replace(
                    "Origin:",
                    "Access-Control-Request-Method: "
                        + method
                        + "\r\nAccess-Control-Request-Headers: destination,depth,if,lock-token\r\n"
                        + "Origin:");
        String permitted = exchange(server, preflight.formatted("https://example.org"));
        assertThat(permitted).startsWith("HTTP/1.1 200 ");
        assertThat(field(permitted, "Access-Control-Allow-Origin"))
            .isEqualTo("https://example.org");
        assertThat(field(permitted, "Access-Control-Allow-Headers"))
            .isEqualTo("destination,depth,if,lock-token");
        assertThat(field(permitted, "Access-Control-Allow-Methods").split(", ", -1))
            .contains(method.equals("OPTIONS") ? "GET" : method);
        for (String origin : List.of(FOREIGN, "null", "https://example.org.evil.example")) {
          assertThat(exchange(server, preflight.formatted(origin)))
              .startsWith("HTTP/1.1 403 ")
              .doesNotContainIgnoringCase("access-control-");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PROPFIND, 207",
    "COPY, 201",
    "MOVE, 201",
    "MKCOL, 405",
    "PROPPATCH, 400",
    "LOCK, 412",
    "UNLOCK, 400",
    "DELETE, 204"
  })
  void request_ofAPage_isServedForAnAllowedOriginAlone(String method, int status)
      throws IOException {
    CrossOrigin allowed = new CrossOrigin(List.of("https://example.org"));
    try (HttpFilesServer server = start(ServerSettings.defaults().withAllowedOrigins(allowed))) {
      for (String origin : List.of(FOREIGN, "null")) {
        assertThat(exchange(server, from(method, origin)))
            .startsWith("HTTP/1.1 403 ")
            .doesNotContainIgnoringCase("access-control-");
      }
      assertThat(TestFiles.names(root)).containsExactly("f");
      String response = exchange(server, from(method, "https://example.org"));
      assertThat(response).startsWith("HTTP/1.1 " + status + " ");
      assertThat(field(response, "Access-Control-Allow-Origin")).isEqualTo("https://example.org");
    }
  }

  private static String from(String method, String origin) {
    return method
        + " /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nDepth: 0\r\n"
        + "Destination: /files/g\r\nOrigin: "
        + origin
        + "\r\n\r\n";
  }

  private static String field(String response, String name) {
    Matcher field = Pattern.compile("(?im)^" + Pattern.quote(name) + ": (.*)$").matcher(response);
    return field.find() ? field.group(1) : "";
  }

  private static String put(String path, String host, String origin) {
    return "PUT "
        + path
        + " HTTP/1.1\r\nConnection: close\r\nContent-Length: 5\r\nHost: "
        + host
        + "\r\nOrigin: "
        + origin
        + "\r\n\r\nworld";
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, , , 200",
    "localhost, LOCALHOST, , 200",
    ", localhost, , 200",
    "localhost, , http://localhost, 200",
    "evil.example, , , 421",
    "localhost, evil.example, , 400",
    ", evil.example, , 421",
    ", , , 400",
    "localhost, , http://evil.example, 403",
    "evil.example, , http://evil.example, 421"
  })
  void http2_authorityAndOrigin_obeyTheSameRules(
      @Nullable String authority, @Nullable String host, @Nullable String origin, int status)
      throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
          1,
          RawHttp2.fields(
              ":method",
              "GET",
              ":scheme",
              "http",
              ":path",
              "/files/f",
              ":authority",
              authority,
              "host",
              host,
              "origin",
              origin));
      RawHttp2.Frame head = raw.await(RawHttp2.HEADERS);
      String block = new String(head.payload(), StandardCharsets.ISO_8859_1);
      if (status == 200 || status == 400) {
        assertThat(head.status()).isEqualTo(status);
      } else {
        assertThat(block).contains(String.valueOf(status));
      }
      String body = new String(raw.body(1), StandardCharsets.UTF_8);
      assertThat(body.equals("hello")).isEqualTo(status == 200);
    }
  }

  @Test
  void upgrade_foreignHost_isRefusedOverHttp2() throws IOException {
    try (HttpFilesServer server = start(ServerSettings.defaults());
        RawHttp2 raw = new RawHttp2(server.port())) {
      raw.send(
          "GET /files/f HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAQABAAA\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 101 ");
      raw.send(RawHttp2.PREFACE);
      raw.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
      assertThat(raw.body(1)).asString().contains("421").doesNotContain("hello");
    }
  }
}
