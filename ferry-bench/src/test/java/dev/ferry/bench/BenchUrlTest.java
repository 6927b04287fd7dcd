package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import dev.ferry.cli.Outcome;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.RunJson;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that is not Ferry's. */
final class BenchUrlTest {
  private static final byte[] CONTENT = new byte[100_000];
  private static final byte[] LARGE = new byte[3_000_000];

  private final List<String> queries = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final String base;

  @TempDir Path folder;

  BenchUrlTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    base = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/file.bin",
        exchange -> {
          queries.add(String.valueOf(exchange.getRequestURI().getRawQuery()));
          exchange.sendResponseHeaders(200, CONTENT.length);
          try (var body = exchange.getResponseBody()) {
            body.write(CONTENT);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Outcome bench(String... options) {
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--work-dir", folder.toString(), "--out", folder + "/run"));
    return Outcome.of(new Main(), arguments.toArray(String[]::new));
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_url_comparesTheClientsWithItsServer() throws Exception {
    String digest = Sha256.ofFile(Files.write(folder.resolve("copy"), CONTENT)).toHex();

    Outcome bench =
        bench(
            "--url", base + "/file.bin", "--sha256", digest, "--methods=OkHttp", "--profile=smoke");

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.file().name()).isEqualTo("file.bin");
    assertThat(run.rows())
        .extracting(row -> row.method() + " " + row.parameters().get("Url"))
        .containsExactlyInAnyOrder(
            "HttpClient " + base + "/file.bin", "OkHttp " + base + "/file.bin");
    assertThat(run.rows()).allMatch(row -> row.measured());
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrder("copy", "run");
    }
  }

  @Test
  void bench_urlWithQuery_sendsItAndKeepsNoneOfIt() throws Exception {
    Outcome bench =
        bench("--url", base + "/file.bin?sig=secret", "--methods=OkHttp", "--profile=smoke");

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    assertThat(queries).isNotEmpty().containsOnly("sig=secret");
    assertThat(bench.out() + bench.err()).contains("/file.bin?…").doesNotContain("secret");
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.arguments()).contains(base + "/file.bin?…");
    assertThat(run.rows()).allMatch(row -> row.measured());
    try (Stream<Path> kept = Files.walk(folder)) {
      assertThat(kept.filter(Files::isRegularFile))
          .isNotEmpty()
          .allSatisfy(file -> assertThat(file).content().doesNotContain("secret"));
    }
  }

  /** A redirect does not get around the limit, and fewer rows need less. */
  @Test
  void bench_urlThatLeadsToAnotherAddress_isLimitedByItsRows() throws Exception {
    InetAddress other = addressBesideLoopback();
    HttpServer theirs = HttpServer.create(new InetSocketAddress(other, 0), 0);
    theirs.createContext(
        "/large.bin",
        exchange -> {
          exchange.sendResponseHeaders(200, LARGE.length);
          try (var body = exchange.getResponseBody()) {
            body.write(LARGE);
          }
        });
    server.createContext(
        "/moved",
        exchange -> {
          exchange
              .getResponseHeaders()
              .set(
                  "Location",
                  "http://"
                      + other.getHostAddress()
                      + ":"
                      + theirs.getAddress().getPort()
                      + "/large.bin");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    theirs.start();
    try {
      String[] all = {"--url", base + "/moved", "--profile=smoke", "--list"};
      assertThat(bench(all))
          .satisfies(
              bench -> {
                assertThat(bench.exitCode()).isEqualTo(2);
                assertThat(bench.err())
                    .contains(
                        "downloaded 36 times, 108,000,000 bytes", "of at most 2,777,777 bytes")
                    .hasLineCount(1);
              });
      Outcome few = bench("--url", all[1], all[2], all[3], "--methods=OkHttp");
      assertThat(few.exitCode()).as(few.err()).isZero();
      Outcome owned = bench("--url", all[1], all[2], all[3], "--yes-i-own-it");
      assertThat(owned.exitCode()).as(owned.err()).isZero();
    } finally {
      theirs.stop(0);
    }
  }

  private static InetAddress addressBesideLoopback() throws IOException {
    Optional<InetAddress> found =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .findFirst();
    assumeThat(found).as("a network beside the loopback").isPresent();
    return found.orElseThrow();
  }

  @Test
  void list_allSuites_leavesOutTheOneWithoutAServer() {
    Outcome list = bench("--suite=all", "--list");

    assertThat(list.exitCode()).as(list.err()).isZero();
    assertThat(list.out()).contains("answer: download").doesNotContain("\nurl: ", "\ngrpc: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | --url ftp://127.0.0.1/x | --url is ftp://127.0.0.1/x; give one like https:",
        "2 | --url http://me:secret@127.0.0.1/x | which the run folder would show; remove it",
        "2 | --url ftp://127.0.0.1/x?signature=secret | --url is ftp://127.0.0.1/x?…; give one like",
        "2 | --url http://127.0.0.1/x?… | a run does not keep the query of its address",
        "1 | --url BASE/none?signature=secret | /none?… gives HTTP 404 and not 200",
        "1 | --url http://127.0.0.1:1/x?signature=secret | /x?… cannot be downloaded",
        "2 | --url http://127.0.0.1/x --suite answer | leave out --suite",
        "2 | --suite url | suite url needs --url, with an address",
        "2 | --yes-i-own-it | needs --url or --grpc; give one as well",
        "1 | --url BASE/none | /none gives HTTP 404 and not 200",
        "1 | --url BASE/file.bin --sha256 00 | has the SHA-256",
        "1 | --url http://no-such-host.invalid/x | the host no-such-host.invalid is not known",
        "1 | --url http://127.0.0.1:1/x | cannot be downloaded",
      })
  void bench_urlThatCannotBeUsed_isRefusedInOneLine(int exit, String options, String message) {
    Outcome bench = bench(options.replace("BASE", base).split(" "));

    assertThat(bench.exitCode()).as(bench.err()).isEqualTo(exit);
    assertThat(bench.err()).contains(message).hasLineCount(1).doesNotContain("secret");
    assertThat(folder.resolve("run")).doesNotExist();
  }
}
