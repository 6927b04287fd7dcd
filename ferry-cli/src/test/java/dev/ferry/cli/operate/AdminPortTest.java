package dev.ferry.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.contract.Errors;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

@Timeout(300)
final class AdminPortTest {
  private static final String HOST = "127.0.0.1";
  private static final Pattern METRIC = Pattern.compile("[a-z]+_[a-z_]+(?=[{\\[) ]|$)");

  private final Drain drain = new Drain(Duration.ZERO);
  private final OperatorServices operation =
      new OperatorServices(drain, List.of(), null, new ServerAddress(HOST, 0));

  @TempDir Path root;

  @SuppressWarnings("NullAway.Init") // Started before each test.
  private ServerPort grpc;

  @SuppressWarnings("NullAway.Init")
  private ServerPort http;

  private int admin;

  @BeforeEach
  void start() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    ServerSettings settings = operation.in(ServerSettings.defaults());
    grpc = GrpcFiles.serve(store, HOST, 0, settings);
    http = WebFiles.serve(store, HOST, 0, settings);
    ServerTls certificate = TestCertificates.server(TestCertificates.loopback());
    String address =
        operation.startAdmin(settings.withTls(certificate), Map.of("grpc", grpc, "http", http));
    admin = URI.create(String.valueOf(address)).getPort();
  }

  @AfterEach
  void stop() {
    grpc.close();
    http.close();
    operation.close();
    Logs.setLevel("warn");
  }

  private String exchange(String head) throws IOException {
    return RawHttp.exchange(admin, head + " HTTP/1.1\r\n");
  }

  @Test
  void metrics_afterTransfers_haveThem() throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    try (Carrier carrier = GrpcFiles.connect(HOST, grpc.port())) {
      carrier.download(StorePath.parse("f"), root.resolve("g"), TransferOptions.DEFAULT);
      assertThat(grpc.awaitRequests(Duration.ofMinutes(2))).isTrue();
    }
    RawHttp.exchange(http.port(), "GET /files/none HTTP/1.1\r\n");

    assertThat(exchange("GET /metrics"))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("content-type: text/plain; version=0.0.4")
        .containsIgnoringCase("\r\ndate: ")
        .contains(
            "ferry_transfers_total{carrier=\"grpc\",direction=\"download\",result=\"ok\"} 1.0",
            "ferry_transfers_total{carrier=\"http\",direction=\"download\",result=\"not-found\"}",
            "ferry_transfer_bytes_total{carrier=\"grpc\",direction=\"download\"} 5.0",
            "rpc_server_call_duration_seconds_count{",
            "http_server_request_duration_seconds_count{",
            "direction=\"download\",result=\"ok\",le=\"3600.0\"} 1",
            "ferry_requests_active{carrier=\"grpc\"} 0.0",
            "ferry_refused_total{port=\"grpc\",reason=\"flood\"} 0.0");
  }

  /** The expressions of the dashboard and of the alerts. */
  private static List<String> expressions(String file) throws IOException {
    Path docs = Path.of("..", "docs");
    if (file.endsWith(".json")) {
      return new JsonMapper().readTree(docs.resolve(file).toFile()).findValuesAsText("expr");
    }
    String yaml = Files.readString(docs.resolve(file));
    Object rules = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return new JsonMapper().valueToTree(rules).findValuesAsText("expr");
  }

  /** Everything that the dashboard and the alerts ask for, a server with a certificate exports. */
  @ParameterizedTest
  @ValueSource(strings = {"grafana.json", "alerts.yml"})
  void documents_askOnlyForMetricsOfAServer(String file) throws Exception {
    metrics_afterTransfers_haveThem();
    Set<String> asked = new TreeSet<>();
    Set<String> reasons = new TreeSet<>();
    Set<String> results = new TreeSet<>();
    for (String expression : expressions(file)) {
      // What stands in quotes is no name.
      METRIC
          .matcher(expression.replaceAll("\"[^\"]*\"", "").replaceAll("by \\([^)]*\\)", ""))
          .results()
          .forEach(name -> asked.add(name.group()));
      addValues("reason", expression, reasons);
      addValues("result", expression, results);
    }
    assertThat(asked).hasSizeGreaterThan(5);
    String exported = exchange("GET /metrics");
    assertThat(asked)
        .allSatisfy(name -> assertThat(exported).containsPattern("\n" + name + "[{ ]"));
    assertThat(reasons)
        .allSatisfy(reason -> assertThat(exported).contains("reason=\"" + reason + '"'));
    Set<String> known =
        Stream.concat(Stream.of("ok"), Arrays.stream(ErrorKind.values()).map(Errors::wireName))
            .collect(Collectors.toSet());
    assertThat(known).containsAll(results);
  }

  private static void addValues(String label, String expression, Set<String> values) {
    Matcher selector = Pattern.compile(label + "!?=~?\"([^\"]*)\"").matcher(expression);
    while (selector.find()) {
      values.addAll(List.of(selector.group(1).split("\\|", -1)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check config ../docs/prometheus.yml",
        "test rules src/test/resources/alerts-test.yml"
      })
  void promtool_ofTheDocuments_agrees(String arguments) throws Exception {
    Process promtool;
    try {
      promtool =
          new ProcessBuilder(("promtool " + arguments).split(" ", -1))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new TestAbortedException("there is no promtool: " + e.getMessage(), e);
    }
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(output).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"base/horizontalpodautoscaler.yaml", "prometheus-adapter.yaml"})
  void autoscaler_asksOnlyForMetricsOfAServer(String file) throws Exception {
    String text = Files.readString(Path.of("..", "deploy", "kubernetes", file));
    Set<String> asked = new TreeSet<>();
    Matcher name = Pattern.compile("\\bferry_\\w+").matcher(text);
    while (name.find()) {
      asked.add(name.group());
    }
    assertThat(asked).containsExactly("ferry_requests_active");
    assertThat(exchange("GET /metrics")).contains("\nferry_requests_active{");
  }

  @Test
  void ready_whileDraining_isUnavailable() throws Exception {
    assertThat(exchange("GET /ready")).startsWith("HTTP/1.1 200 ").endsWith("ready\n");
    drain.request();
    assertThat(exchange("GET /ready")).startsWith("HTTP/1.1 503 ").endsWith("draining\n");
    assertThat(exchange("GET /live")).startsWith("HTTP/1.1 200 ").endsWith("live\n");
    assertThat(exchange("GET /metrics")).contains("\nferry_draining 1.0\n");
  }

  @Test
  void logLevel_isChangedWhileTheServerRuns() throws Exception {
    assertThat(exchange("GET /log-level")).endsWith("warn\n");
    assertThat(exchange("PUT /log-level/Debug")).startsWith("HTTP/1.1 200 ").endsWith("debug\n");
    assertThat(LoggerFactory.getLogger("dev.ferry.requests").isDebugEnabled()).isTrue();
    assertThat(exchange("PUT /log-level/loud"))
        .startsWith("HTTP/1.1 400 ")
        .contains("'loud' is not a level; give one of error, warn, info, debug");
    assertThat(exchange("GET /log-level")).endsWith("debug\n");
  }

  @ParameterizedTest
  @CsvSource({
    "GET /, 404",
    "GET /files/f, 404",
    "POST /metrics, 405",
    "PUT /log-level, 405",
    "GET /log-level/debug, 405",
    "DELETE /ready, 405"
  })
  void otherRequests_areRefused(String head, int status) throws Exception {
    assertThat(exchange(head)).startsWith("HTTP/1.1 " + status + " ");
    assertThat(Logs.level()).isEqualTo("warn");
  }

  @Test
  void requests_ofForeignPages_areRefused() throws Exception {
    try (RawHttp raw = new RawHttp(admin)) {
      raw.send(
          "PUT /log-level/debug HTTP/1.1\r\nHost: rebound.example:7090\r\n"
              + "Connection: close\r\n\r\n");
      assertThat(raw.readAll()).startsWith("HTTP/1.1 421 ");
    }
    assertThat(
            RawHttp.exchange(
                admin, "PUT /log-level/debug HTTP/1.1\r\nOrigin: http://evil.example\r\n"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(Logs.level()).isEqualTo("warn");
  }
}
