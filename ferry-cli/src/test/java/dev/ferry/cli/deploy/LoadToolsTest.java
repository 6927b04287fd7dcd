package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.cli.Peers;
import dev.ferry.cli.Servers;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The load testers of docs/load.md, and JMeter's plan of {@code deploy}, against a server. */
@Timeout(300)
final class LoadToolsTest {
  private static final int SIZE = 4096;
  private static final int REQUESTS = 200;

  /** The head of a message, and a field of one byte. */
  private static final int SERVING = 5 + 2;

  private static final Path JMETER = Path.of("target/jmeter").toAbsolutePath();

  /** What wrk has received of all requests, heads included, rounded to three digits or more. */
  private static final Pattern READ =
      Pattern.compile("(\\d+) requests in \\S+, ([\\d.]+)([KMGT]?)B read");

  @TempDir Path root;
  @TempDir Path local;

  private final List<Servers> open = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private String scheme = "http";
  private String token = "none";
  private int http;
  private int grpc;

  /**
   * Starts the server.
   *
   * @param secured over TLS, for the user of a token
   */
  private void start(boolean secured) throws Exception {
    TestFiles.write(root.resolve("file"), TestFiles.incompressible(SIZE, 1));
    ServerSettings settings = ServerSettings.defaults();
    if (secured) {
      Path callers = local.resolve("callers");
      scheme = "https";
      token = CallersFile.addToken(callers, "alice", List.of("all:/")).strip();
      settings =
          settings
              .withTls(TestCertificates.server(TestCertificates.loopback()))
              .withCallers(CallersFile.open(callers));
    }
    Servers servers = Servers.start(LocalFileStore.open(root), settings);
    open.add(servers);
    http = servers.http().port();
    grpc = servers.grpc().port();
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    open.forEach(Servers::close);
  }

  private String files(String path) {
    return scheme + "://" + Servers.HOST + ":" + http + "/files/" + path;
  }

  private Process begin(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(local.toFile()).redirectErrorStream(true).start();
    processes.add(process);
    process.getOutputStream().close();
    return process;
  }

  private String run(List<String> command) throws Exception {
    Process process = begin(command);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  /** Runs a tool of Debian with the token. */
  private String run(String name, String... arguments) throws Exception {
    Path program = Path.of("/usr/bin").resolve(name);
    assumeTrue(
        PeerPrograms.isAvailable(program),
        "skipped: install " + name + " (tools/install-peers.sh)");
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "-H", "Authorization: Bearer " + token));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Runs wrk for a second, and again if there was no response in it. */
  private String wrk(String url) throws Exception {
    String out;
    do {
      out = run("wrk", "-t1", "-c4", "-d1s", "--timeout", "120s", url);
    } while (out.contains("\n  0 requests"));
    return out;
  }

  private String h2load(String... arguments) throws Exception {
    return run(
        "h2load",
        Stream.concat(Stream.of("-n", REQUESTS + "", "-c2", "-m5"), Stream.of(arguments))
            .toArray(String[]::new));
  }

  /**
   * The lines in which h2load says that it took all responses for a success.
   *
   * @param bytes those of one body
   */
  private static String[] succeeded(int bytes) {
    return new String[] {
      "%1$d done, %1$d succeeded, 0 failed, 0 errored, 0 timeout".formatted(REQUESTS),
      "status codes: %d 2xx,".formatted(REQUESTS),
      "(%d) data".formatted(REQUESTS * bytes)
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void wrk_downloadsAndLists_succeed(boolean secured) throws Exception {
    start(secured);

    String get = wrk(files("file"));

    assertThat(get).doesNotContain("Non-2xx", "Socket errors");
    Matcher read = READ.matcher(get);
    assertThat(read.find()).as(get).isTrue();
    long requests = Long.parseLong(read.group(1));
    double bytes =
        Double.parseDouble(read.group(2))
            * Math.pow(1024, read.group(3).isEmpty() ? 0 : 1 + "KMGT".indexOf(read.group(3)));
    assertThat(requests).isPositive();
    assertThat(bytes).as(get).isGreaterThan(requests * SIZE);
    assertThat(wrk(files(""))).doesNotContain("Non-2xx", "Socket errors").contains("Requests/sec:");
  }

  @Test
  void tools_withoutTheToken_countFailures() throws Exception {
    start(true);
    token = "unknown";

    assertThat(h2load(files("file"))).contains(" 0 succeeded, " + REQUESTS + " failed");
    if (Boolean.getBoolean("ferry.thorough")) {
      assertThat(wrk(files("file"))).contains("Non-2xx or 3xx responses: ");
    }
  }

  /** Over TLS, or also without. */
  static Stream<Boolean> secured() {
    return Stream.of(true, false).limit(Round.times(1, 2));
  }

  @ParameterizedTest
  @MethodSource("secured")
  void h2load_requestsOfHttp2_succeed(boolean secured) throws Exception {
    start(secured);
    Path source = TestFiles.write(local.resolve("source"), TestFiles.incompressible(SIZE, 2));

    assertThat(h2load(files("file"))).contains(succeeded(SIZE)).contains("protocol: h2");
    assertThat(h2load("-H", ":method: HEAD", files("file"))).contains(succeeded(0));
    assertThat(h2load("-H", ":method: PUT", "-d", source.toString(), files("stored")))
        .contains(succeeded(0));
    assertThat(Files.mismatch(root.resolve("stored"), source)).isEqualTo(-1);
    assertThat(TestFiles.tree(root)).containsExactly("file", "stored");
  }

  /** It reads no trailers, so a call that fails is a success of no bytes. */
  @ParameterizedTest
  @MethodSource("secured")
  void h2load_callsOfGrpc_countAsHttp(boolean secured) throws Exception {
    start(secured);
    Path message = Files.write(local.resolve("check.bin"), new byte[5]);
    String port = scheme + "://" + Servers.HOST + ":" + grpc;
    String[] options = {
      "-H", "content-type: application/grpc", "-H", "te: trailers", "-d", message.toString()
    };

    assertThat(
            h2load(
                Stream.concat(Stream.of(options), Stream.of(port + "/grpc.health.v1.Health/Check"))
                    .toArray(String[]::new)))
        .contains(succeeded(SERVING));
    assertThat(
            h2load(
                Stream.concat(Stream.of(options), Stream.of(port + "/no.such.Service/Check"))
                    .toArray(String[]::new)))
        .contains(succeeded(0));
  }

  private List<String> jmeter(String... arguments) throws IOException {
    assumeTrue(Files.exists(JMETER), "skipped: -Pthorough brings JMeter");
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Djava.awt.headless=true", "-Djava.rmi.server.hostname=127.0.0.1"));
    try (Stream<Path> jars = Files.list(JMETER.resolve("lib"))) {
      Pattern program = Pattern.compile("ApacheJMeter-[\\d.]+\\.jar");
      command.add("-jar");
      command.add(
          jars.filter(jar -> program.matcher(jar.getFileName().toString()).matches())
              .findAny()
              .orElseThrow()
              .toString());
    }
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Runs the plan against the server.
   *
   * @param engine that of a remote engine, or empty for none
   * @return the rows of its results: label, status and whether it succeeded
   */
  private List<String> plan(String engine, int size) throws Exception {
    Files.write(local.resolve("ferry.bin"), TestFiles.incompressible(SIZE, 3));
    String plan = Manifests.DEPLOY.resolve("jmeter/ferry.jmx").toAbsolutePath().toString();
    List<String> command = jmeter("-n", "-t", plan, "-l", "rows.csv", "-j", "controller.log");
    command.addAll(engine.isEmpty() ? List.of() : List.of("-X", "-R", engine));
    for (String property :
        List.of(
            "port=" + http,
            "scheme=" + scheme,
            "token=" + token,
            "size=" + size,
            "threads=2",
            "seconds=5",
            "rate=50")) {
      command.add((engine.isEmpty() ? "-J" : "-G") + property);
    }
    String out = run(command);
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(local.resolve("rows.csv"))) {
      String[] fields = line.split(",", -1);
      rows.add(String.join(" ", fields[2], fields[3], fields[7]));
    }
    assertThat(rows).as(out).hasSizeGreaterThan(1);
    return rows.subList(1, rows.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void jmeter_plan_succeedsAndLeavesNothing(boolean remote) throws Exception {
    start(true);

    assertThat(plan(remote ? startEngine() : "", SIZE))
        .contains("make folder 201 true", "first put 201 true", "delete folder 204 true")
        .contains("get 200 true", "put 201 true", "list 200 true")
        .allMatch(row -> row.endsWith(" true"));
    assertThat(TestFiles.tree(root)).containsExactly("file");
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void jmeter_planForFilesOfAnotherSize_failsDownloadsAndLists() throws Exception {
    start(false);

    assertThat(plan("", SIZE + 1))
        .contains("put 201 true")
        .filteredOn(row -> row.startsWith("get ") || row.startsWith("list "))
        .isNotEmpty()
        .allMatch(row -> row.endsWith(" 200 false"));
  }

  /** Starts an engine that a controller reaches over TLS, and returns its address. */
  private String startEngine() throws Exception {
    List<String> keytool = new ArrayList<>();
    keytool.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    keytool.addAll(List.of("-genkeypair", "-alias", "rmi", "-keyalg", "EC", "-dname", "CN=rmi"));
    keytool.addAll(List.of("-storetype", "JKS", "-keystore", "rmi_keystore.jks"));
    keytool.addAll(List.of("-storepass", "changeit", "-keypass", "changeit"));
    run(keytool);
    int port = Peers.nobody();
    Process engine = begin(jmeter("-s", "-Jserver_port=" + port, "-j", "engine.log"));
    while (true) {
      try (Socket socket = new Socket(InetAddress.getByName(Servers.HOST), port)) {
        assertThat(socket.isConnected()).isTrue();
        return Servers.HOST + ":" + port;
      } catch (IOException e) {
        assertThat(engine.isAlive()).isTrue();
        Thread.sleep(50);
      }
    }
  }
}
