package dev.ferry.suites.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import dev.ferry.suites.file.LocalCopySuite;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MethodNamesTest {
  /** A terminal has 80 columns, and names stand below their tables. */
  private static final int COLUMNS = 80;

  @Test
  void of_methodsOfAllTables_areNamedInOneLine() {
    List<RowKey> rows =
        Suites.all().stream()
            .filter(suite -> !(suite instanceof LocalCopySuite))
            .flatMap(MethodNamesTest::rows)
            .toList();

    assertThat(rows).isNotEmpty();
    assertThat(rows.stream().filter(row -> MethodNames.of(row).isEmpty())).isEmpty();
    assertThat(
            rows.stream()
                .map(row -> row.method() + ": " + MethodNames.of(row).orElseThrow())
                .filter(line -> line.length() > COLUMNS))
        .isEmpty();
  }

  private static Stream<RowKey> rows(Suite suite) {
    return suite.tables().stream()
        .flatMap(table -> table.groups(suite.name()).stream())
        .flatMap(List::stream)
        .filter(row -> !row.isControl());
  }

  @Test
  void of_methodWithAnotherMeaning_hasTheNameOfItsTable() {
    assertThat(MethodNames.of(row("answer", "download", "ZeroCopy"))).hasValue("Ferry's gRPC");
    assertThat(MethodNames.of(row("grpc", "stream", "ZeroCopy")))
        .hasValue("grpc-java with ferry-zerocopy");
    assertThat(MethodNames.of(row("tasks", "logs-parallel", "WebApiHttp1Tuned")))
        .hasValue("OkHttp");
    assertThat(MethodNames.of(row("tasks", "files-parallel", "WebApiHttp1Tuned")))
        .hasValue("Apache HttpClient 5");
  }

  @Test
  void of_httpClient_saysHowItIsUsed() {
    assertThat(MethodNames.of(row("url", "download", "JettyHttp2")))
        .hasValue("Jetty's client over HTTP/2");
    assertThat(MethodNames.of(row("file-transfer", "http-upload", "OkHttpHttp2Tuned")))
        .hasValue("tuned OkHttp over HTTP/2");
  }

  @Test
  void of_unknownMethodOrControl_isEmpty() {
    assertThat(MethodNames.of(row("answer", "download", "Pigeon"))).isEmpty();
    assertThat(MethodNames.of(row("answer", "download", "HttpClientFile").control())).isEmpty();
  }

  private static RowKey row(String suite, String table, String method) {
    return new RowKey(suite, table, method, Map.of());
  }
}
