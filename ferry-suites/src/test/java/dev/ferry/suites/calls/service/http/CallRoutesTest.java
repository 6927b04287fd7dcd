package dev.ferry.suites.calls.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.LogLevel;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.MemoryLogs;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The methods of the routes of small calls, and their responses. */
@ParameterizedClass(name = "{0}")
@EnumSource(HttpClient.Version.class)
class CallRoutesTest {
  @Parameter HttpClient.Version version = HttpClient.Version.HTTP_1_1;

  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;

  @BeforeEach
  void start() throws Exception {
    MemoryLogs logs = new MemoryLogs(10);
    logs.append(new LogRecord("m", LogLevel.INFO, "c", 1));
    server = HttpCallServer.start(Backend.of(logs), "127.0.0.1", 0, null);
  }

  @AfterEach
  void stop() {
    server.closeNow();
  }

  private HttpResponse<String> send(String method, String path, String accept) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .version(version)
            .header("Accept", accept)
            .method(method, BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static Map<String, List<String>> fieldsWithoutDate(HttpResponse<?> response) {
    Map<String, List<String>> fields = new HashMap<>(response.headers().map());
    fields.remove("date");
    return fields;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/rows/7", "/rows?count=3", "/items?count=3", "/users?page=1&size=2", "/logs/0"})
  void head_ofARoute_hasTheFieldsOfGetAndNoBody(String path) throws Exception {
    for (String accept : new String[] {"application/json", CallRoutes.NDJSON}) {
      HttpResponse<String> get = send("GET", path, accept);
      HttpResponse<String> head = send("HEAD", path, accept);
      assertThat(get.statusCode()).isEqualTo(200);
      assertThat(get.body()).isNotEmpty();
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(fieldsWithoutDate(head)).isEqualTo(fieldsWithoutDate(get));
    }
    assertThat(send("GET", "/rows/1", "*/*").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "/rows/x,400",
    "/rows/-1,400",
    "/rows,400",
    "/logs/1,404",
    "/users?page=9&size=0,400"
  })
  void head_ofWhatIsRefused_hasItsStatus(String path, int status) throws Exception {
    assertThat(send("GET", path, "*/*").statusCode()).isEqualTo(status);
    HttpResponse<String> head = send("HEAD", path, "*/*");
    assertThat(head.statusCode()).isEqualTo(status);
    assertThat(head.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
  void unknownPath_isNotFound_whateverTheMethod(String method) throws Exception {
    for (String path : new String[] {"/", "/row", "/items/1", "/rowsx", "/users/"}) {
      assertThat(send(method, path, "*/*").statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void wrongMethod_isRefusedWithThoseThereAre() throws Exception {
    Map<String, String> allowed =
        Map.of(
            "/rows/1", "GET, HEAD",
            "/rows?count=1", "GET, HEAD",
            "/items?count=1", "GET, HEAD",
            "/users?page=0&size=1", "GET, HEAD",
            "/logs/0", "GET, HEAD",
            "/logs", "POST");
    for (Map.Entry<String, String> route : allowed.entrySet()) {
      for (String method : new String[] {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"}) {
        if (!route.getValue().contains(method)) {
          HttpResponse<String> response = send(method, route.getKey(), "*/*");
          assertThat(response.statusCode()).as(method + route).isEqualTo(405);
          assertThat(response.headers().firstValue("Allow")).contains(route.getValue());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"message\":\"m\",\"level\":\"INFO\",\"category\":\"c\"",
        "{\"message\":\"m\",\"level\":\"INFO\",\"category\":\"c\"}",
        "{\"level\":\"INFO\",\"category\":\"c\",\"timestampMillis\":1}",
        "{\"message\":null,\"level\":\"INFO\",\"category\":\"c\",\"timestampMillis\":1}",
        "{\"message\":\"m\",\"level\":\"LOUD\",\"category\":\"c\",\"timestampMillis\":1}",
        "{\"message\":\"m\",\"level\":1,\"category\":\"c\",\"timestampMillis\":1}",
        "{\"message\":\"m\",\"level\":\"INFO\",\"category\":\"c\",\"timestampMillis\":\"1\"}",
        "{\"message\":\"m\",\"level\":\"INFO\",\"category\":\"c\",\"timestampMillis\":1.5}",
        "{\"message\":\"m\",\"level\":\"INFO\",\"category\":\"c\",\"timestampMillis\":1} {}",
      })
  void log_bodyThatIsNoRecord_isRefusedInOneLine(String body) throws Exception {
    HttpResponse<String> response = log(body);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("the body is no log record: ").doesNotContain("\\n");
  }

  @Test
  void log_recordWithMoreFields_isWritten() throws Exception {
    HttpResponse<String> response =
        log(
            "{\"message\":\"m\",\"level\":\"warn\",\"category\":\"c\",\"timestampMillis\":1,"
                + "\"more\":[{}]}");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"number\":1}");
  }

  private HttpResponse<String> log(String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + "/logs");
    return client.send(
        HttpRequest.newBuilder(uri).version(version).POST(BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  @Test
  void anyRoute_pageOfAnotherOrigin_isShutOut() throws Exception {
    for (String path : new String[] {"/rows/7", "/logs", "/no"}) {
      URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .version(version)
              .header("Origin", "http://evil.example")
              .POST(BodyPublishers.ofString("{}"))
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(403);
      assertThat(response.body()).contains("pages of http://evil.example may not use this server");
    }
  }

  @Test
  void anyRoute_hostThatIsNotOfLoopback_isMisdirected() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /rows/7 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 421 ");
    }
  }
}
