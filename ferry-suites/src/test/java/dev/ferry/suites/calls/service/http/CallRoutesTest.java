package dev.ferry.suites.calls.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.LogLevel;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.MemoryLogs;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
  private HttpCallServer server;

  @BeforeEach
  void start() throws Exception {
    MemoryLogs logs = new MemoryLogs(10);
    logs.append(new LogRecord("m", LogLevel.INFO, "c", 1));
    server = HttpCallServer.start(Backend.of(logs), "127.0.0.1", 0, null);
  }

  @AfterEach
  void stop() {
    server.close();
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

  @ParameterizedTest
  @ValueSource(strings = {"/rows?count=3", "/items?count=3", "/users?page=1&size=2", "/logs/0"})
  void route_whateverIsAccepted_answers(String path) throws Exception {
    for (String accept : new String[] {"application/json", CallRoutes.NDJSON, "*/*"}) {
      HttpResponse<String> response = send("GET", path, accept);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/rows?count=x,400",
    "/rows?count=-1,400",
    "/rows,400",
    "/logs/1,404",
    "/logs/x,400",
    "/users?page=9&size=0,400"
  })
  void whatIsRefused_hasItsStatus(String path, int status) throws Exception {
    assertThat(send("GET", path, "*/*").statusCode()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
  void unknownPath_isNotFound_whateverTheMethod(String method) throws Exception {
    for (String path : new String[] {"/", "/rows/1", "/items/1", "/rowsx", "/users/"}) {
      assertThat(send(method, path, "*/*").statusCode()).as(path).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
  void route_anotherMethod_isNotFound(String method) throws Exception {
    for (String path : new String[] {"/rows?count=1", "/items?count=1", "/logs/0"}) {
      assertThat(send(method, path, "*/*").statusCode()).as(path).isEqualTo(404);
    }
    assertThat(send("GET", "/logs", "*/*").statusCode()).isEqualTo(404);
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
    assertThat(response.body()).contains("the body is not a log record: ").doesNotContain("\\n");
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
}
