package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Peers;
import dev.ferry.cli.Received;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Background;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The proxies of {@code deploy} in front of three servers over one folder. */
@Timeout(300)
final class ProxyTest {
  private static final int SMALL = 500_000;
  private static final int LARGE = 18_000_000;
  private static final int ATTEMPTS = 500;

  /**
   * A transfer has to last until its server is found and killed, which takes some machines long.
   */
  private static final List<String> RATES = List.of("4M", "1M");

  private static final List<CarrierChoice> CARRIERS =
      List.of(CarrierChoice.GRPC, CarrierChoice.HTTP);

  @TempDir Path temporary;
  private Path root;
  private Path local;

  @BeforeEach
  void makeFolders() throws IOException {
    root = Files.createDirectory(temporary.resolve("root"));
    local = Files.createDirectory(temporary.resolve("local"));
  }

  private ProxiedServers start(ProxyProgram program) throws Exception {
    assumeTrue(program.isAvailable(), "skipped: install it (tools/install-peers.sh)");
    return new ProxiedServers(program, root, Files.createDirectory(temporary.resolve("logs")));
  }

  static Stream<ProxyProgram> programs() {
    return Stream.of(ProxyProgram.values()).limit(Round.times(1, 2));
  }

  static Stream<Arguments> programsAndCarriers() {
    return Stream.of(
        Arguments.of(ProxyProgram.NGINX, CarrierChoice.HTTP),
        Arguments.of(ProxyProgram.HAPROXY, CarrierChoice.GRPC),
        Arguments.of(ProxyProgram.HAPROXY, CarrierChoice.HTTP),
        Arguments.of(ProxyProgram.NGINX, CarrierChoice.GRPC));
  }

  private static Outcome run(ProxiedServers servers, CarrierChoice carrier, String... command) {
    return Outcome.of(with(servers.client(carrier), command));
  }

  @Test
  void basePath_behindNginx_isThatOfCommandsAndPage() throws Exception {
    assumeTrue(ProxyProgram.NGINX.isAvailable(), "skipped: install it (tools/install-peers.sh)");
    String config = Files.readString(Path.of("../deploy/nginx/base-path.conf"));
    int front = Peers.nobody();
    ServerSettings settings = ServerSettings.defaults().withBasePath("/ferry");
    try (ServerPort server = WebFiles.serve(LocalFileStore.open(root), "127.0.0.1", 0, settings)) {
      Process nginx =
          ProxyProgram.NGINX.start(
              local,
              config
                  .replace("127.0.0.1:7080", "127.0.0.1:" + front)
                  .replace("127.0.0.1:7181", "127.0.0.1:" + server.port()));
      try {
        useBelow("http://127.0.0.1:" + front + "/ferry/");
      } finally {
        nginx.getOutputStream().close();
        nginx.waitFor();
      }
    }
  }

  private void useBelow(String base) throws Exception {
    Path file = TestFiles.write(local.resolve("a b%.bin"), TestFiles.incompressible(LARGE, 1));
    Path copy = local.resolve("copy");
    String files = base + "files/";
    // Retried until nginx listens.
    runs("mkdir", files + "folder", "--retry-for=60s");
    runs("put", file.toString(), files + "folder/");
    runs("mv", files + "folder/a%20b%25.bin", files + "folder/moved");
    runs("get", files + "folder/moved", copy.toString());
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    runs("sync", files + "folder", local.resolve("tree").toString());
    runs("sync", local.resolve("tree").toString(), files + "again");
    assertThat(runs("ls", "-r", files).out()).contains("again/moved", "folder/moved");
    runs("rm", "-r", files + "folder");
    assertThat(root.resolve("folder")).doesNotExist();

    HttpClient client = HttpClient.newBuilder().followRedirects(Redirect.NORMAL).build();
    HttpResponse<String> page = get(client, URI.create(base));
    assertThat(page.uri().getPath()).isEqualTo("/ferry/files/");
    Matcher script = Pattern.compile("src=\"([^\"]+)\"").matcher(page.body());
    assertThat(script.find()).isTrue();
    assertThat(get(client, page.uri().resolve(script.group(1))).body()).contains("/files/");
    assertThat(get(client, URI.create(base + "health")).body()).isEqualTo("ok\n");
  }

  private static HttpResponse<String> get(HttpClient client, URI uri) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(uri).header("Accept", "text/html").build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response;
  }

  private static Outcome runs(String... command) {
    Outcome outcome = Outcome.of(command);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome;
  }

  @Test
  void config_ofNginx_isValid() throws Exception {
    assumeTrue(ProxyProgram.NGINX.isAvailable(), "skipped: install it (tools/install-peers.sh)");
    String config = ProxyProgram.NGINX.config();
    for (String port : List.of("7070", "7080")) {
      config = config.replace("127.0.0.1:" + port, "127.0.0.1:" + Peers.nobody());
    }
    Process nginx = ProxyProgram.NGINX.check(local, config, "-t");
    assertThat(nginx.waitFor()).as(Files.readString(local.resolve("proxy.log"))).isZero();
  }

  @Test
  void tls_ofNginx_isThatOfBothCarriers() throws Exception {
    assumeTrue(ProxyProgram.NGINX.isAvailable(), "skipped: install it (tools/install-peers.sh)");
    X509Bundle certificate = TestCertificates.loopback();
    Files.writeString(local.resolve("cert.pem"), certificate.getCertificatePathPEM());
    Files.writeString(local.resolve("key.pem"), certificate.getPrivateKeyPEM());
    Path ca = Files.writeString(local.resolve("ca.pem"), TestCertificates.caPem());
    Path file = TestFiles.write(local.resolve("file"), TestFiles.incompressible(LARGE, 1));
    int grpcFront = Peers.nobody();
    int httpFront = Peers.nobody();
    LocalFileStore store = LocalFileStore.open(root);
    try (ServerPort grpc = GrpcFiles.serve(store, "127.0.0.1", 0, ServerSettings.defaults());
        ServerPort http = WebFiles.serve(store, "127.0.0.1", 0, ServerSettings.defaults())) {
      String config =
          Files.readString(Path.of("../deploy/nginx/nginx-tls.conf"))
              .replaceAll("listen \\[::].*", "")
              .replace("listen 7070 ", "listen 127.0.0.1:" + grpcFront + " ")
              .replace("listen 443 ", "listen 127.0.0.1:" + httpFront + " ")
              .replaceAll("127\\.0\\.0\\.1:717\\d", "127.0.0.1:" + grpc.port())
              .replaceAll("127\\.0\\.0\\.1:718\\d", "127.0.0.1:" + http.port());
      if (!ProxyProgram.nginxKnowsHttp2()) {
        // As the file says for older versions, of which Debian 12 has one.
        config = config.replace("http2 on;", "").replace(" ssl;", " ssl http2;");
      }
      Process nginx = ProxyProgram.NGINX.start(local, config);
      try {
        for (CarrierChoice carrier : CarrierChoice.values()) {
          int front = carrier == CarrierChoice.GRPC ? grpcFront : httpFront;
          Path copy = local.resolve("copy-" + carrier);
          List<String> options =
              List.of(
                  "--server=127.0.0.1:" + front,
                  "--carrier=" + carrier,
                  "--tls",
                  "--ca=" + ca,
                  // Until nginx listens.
                  "--retry-for=60s");
          String name = "file-" + carrier;
          runs(with(options, "put", file.toString(), name));
          runs(with(options, "get", name, copy.toString()));
          assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        }
      } finally {
        nginx.getOutputStream().close();
        nginx.waitFor();
      }
    }
  }

  private static String[] with(List<String> options, String... command) {
    return Stream.concat(Stream.of(command), options.stream()).toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void rollingRestart_manyTransfersAtOnce_losesNone(ProxyProgram program) throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(SMALL, 1));
    int clients = Round.times(4, 16);
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    AtomicBoolean over = new AtomicBoolean();
    try (ProxiedServers servers = start(program)) {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int client = i;
        running.add(pool.submit(() -> transfer(servers, client, over)));
      }
      for (ServerProcess server : servers.servers().subList(0, Round.times(1, 3))) {
        server.restart();
        // As an orchestrator does: the next one when this one has been found again.
        while (server.metric("http_server_request_duration_seconds_count") == 0) {
          Thread.sleep(20);
        }
      }
      over.set(true);
      for (Future<Integer> client : running) {
        assertThat(client.get()).isPositive();
      }
    } finally {
      over.set(true);
      pool.shutdownNow();
    }
    assertThat(TestFiles.tree(root)).noneMatch(name -> name.endsWith(".part"));
    assertThat(file).exists();
  }

  /** Downloads and uploads until it is over, and returns how often. */
  private int transfer(ProxiedServers servers, int client, AtomicBoolean over) throws Exception {
    CarrierChoice carrier = CARRIERS.get(client % CARRIERS.size());
    Path copy = local.resolve("copy-" + client);
    int transfers = 0;
    do {
      Outcome get = run(servers, carrier, "get", "file", copy.toString(), "--force");
      assertThat(get.exitCode()).as(get.err()).isZero();
      String name = "from-" + client + "-" + transfers;
      Outcome put = run(servers, carrier, "put", copy.toString(), name);
      assertThat(put.exitCode()).as(put.err()).isZero();
      assertThat(Files.mismatch(root.resolve("file"), root.resolve(name))).isEqualTo(-1);
      Files.delete(root.resolve(name));
      Files.delete(copy);
      transfers += 2;
    } while (!over.get());
    return transfers;
  }

  @ParameterizedTest
  @MethodSource("programsAndCarriers")
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void kill_inTheMiddleOfATransfer_goesOnAtAnotherServer(
      ProxyProgram program, CarrierChoice carrier) throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(LARGE, 1));
    Path copy = local.resolve("copy");
    try (ProxiedServers servers = start(program)) {
      killDuring(servers, copy, carrier, "get", "file", copy.toString());
      killDuring(servers, root.resolve("again"), carrier, "put", copy.toString(), "again");
      assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
      assertThat(Files.mismatch(file, root.resolve("again"))).isEqualTo(-1);
      for (String change : List.of("mkdir folder", "mv again folder/moved", "rm folder/moved")) {
        Outcome outcome = run(servers, carrier, change.split(" ", -1));
        assertThat(outcome.exitCode()).as(change + ": " + outcome.err()).isZero();
      }
    }
    assertThat(root.resolve("folder")).isEmptyDirectory();
    assertThat(Received.bytes(root) + Received.bytes(local)).isZero();
  }

  /**
   * Kills the server of a transfer.
   *
   * @param target the file that is received
   */
  private static void killDuring(
      ProxiedServers servers, Path target, CarrierChoice carrier, String... command)
      throws Exception {
    boolean killed = false;
    for (String rate : RATES) {
      if (!killed) {
        Files.deleteIfExists(target);
        List<String> limited = new ArrayList<>(List.of(command));
        limited.add(1, "--bwlimit=" + rate);
        killed = isKilledDuring(servers, target, carrier, limited);
      }
    }
    assertThat(killed).as("the server was killed before its transfer ended").isTrue();
  }

  /** Returns false, and kills nothing, if the transfer ends before its server is found. */
  private static boolean isKilledDuring(
      ProxiedServers servers, Path target, CarrierChoice carrier, List<String> command)
      throws Exception {
    Background<Outcome> transfer =
        Background.start(() -> run(servers, carrier, command.toArray(String[]::new)));
    Path folder = Objects.requireNonNull(target.getParent());
    if (!isReceived(folder, 1, transfer)) {
      return false;
    }
    List<ServerProcess> busy = new ArrayList<>();
    List<ServerProcess> others = new ArrayList<>();
    for (ServerProcess server : servers.servers()) {
      if (server.isAlive()) {
        (server.metric("ferry_requests_active") > 0 ? busy : others).add(server);
      }
    }
    double before = bytes(others);
    if (!isReceived(folder, LARGE / 3, transfer)) {
      return false;
    }
    assertThat(busy).hasSize(1);
    busy.get(0).kill();
    Outcome outcome = transfer.result();

    assertThat(outcome.exitCode()).as(outcome.err() + servers.log()).isZero();
    // A server counts a transfer after the client has the response.
    double rest = 0;
    for (int attempt = 0; rest == 0 && attempt < ATTEMPTS; attempt++) {
      Thread.sleep(10);
      rest = bytes(others) - before;
    }
    assertThat(rest).isPositive().isLessThan(LARGE * 3 / 4);
    return true;
  }

  /** Waits until a transfer that runs has received so much; returns false if it has ended. */
  private static boolean isReceived(Path folder, long bytes, Background<Outcome> transfer)
      throws Exception {
    while (!transfer.isDone() && Received.bytes(folder) < bytes) {
      Thread.sleep(10);
    }
    if (transfer.isDone()) {
      Outcome outcome = transfer.result();
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      return false;
    }
    return true;
  }

  /** The bytes of all transfers that have ended at servers. */
  private static double bytes(List<ServerProcess> servers) throws IOException {
    double bytes = 0;
    for (ServerProcess server : servers) {
      bytes += server.metric("ferry_transfer_bytes_total");
    }
    return bytes;
  }
}
