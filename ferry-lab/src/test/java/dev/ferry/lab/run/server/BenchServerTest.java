package dev.ferry.lab.run.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FerryVersion;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.jvm.Collector;
import dev.ferry.lab.suite.TargetFolder;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bench server, and clients that it should refuse. */
final class BenchServerTest {
  private static final RowKey CEILING = RowKey.ceiling(CeilingName.SOCKET_DOWNLOAD, null);

  private static final BenchToken TOKEN = BenchToken.random(new SecureRandom());
  private static final FerryVersion VERSION = FerryVersion.current();
  private static final long KEPT = 2_000;
  private static final long HEAP = 64 << 20;
  private static final long HANG_SECONDS = 60;
  private static final String D =
      "0000000000000000000000000000000000000000000000000000000000000000";

  /** {@link #CEILING} as a part of a request. */
  private static final String ROW =
      "\"row\":{\"suite\":\"machine\",\"table\":\"ceilings\",\"method\":\"socket-download\","
          + "\"parameters\":{}},";

  @TempDir Path folder;

  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path work;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private BenchServer server;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private RemoteServer remote;

  @BeforeEach
  void start() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    server =
        BenchServer.start(
            new BenchServer.Settings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TOKEN,
                VERSION,
                work,
                KEPT,
                Clock.systemUTC(),
                new SecureRandom(),
                log::add));
    remote = new RemoteServer("127.0.0.1", server.port(), TOKEN, HEAP, Collector.SERIAL);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void environment_ofTheMachine_hasTheFlagsThatItsServersGet() throws Exception {
    assertThat(remote.environment().flags()).contains("-Xmx64m", "-XX:+UseSerialGC");
    assertThat(log).isEmpty();
  }

  @Test
  void connect_otherBuild_isRefusedWithBoth() {
    assertThatThrownBy(() -> remote.connect(new FerryVersion("9.9", "abcdef0")))
        .hasMessageContaining(
            "says: it is Ferry %s and the bench is Ferry 9.9 (abcdef0); run the same build",
            VERSION);
  }

  @Test
  void connect_otherToken_isRefused() {
    BenchToken other = BenchToken.random(new SecureRandom());
    RemoteServer stranger =
        new RemoteServer("127.0.0.1", server.port(), other, HEAP, Collector.SERIAL);

    assertThatThrownBy(stranger::environment).hasMessageContaining("the token is not its own");
    assertThat(log).singleElement().asString().contains("127.0.0.1: the token is not its own");
  }

  @Test
  void connect_nobodyThere_saysWhatToStart() throws Exception {
    server.close();
    assertThatThrownBy(remote::requireThere)
        .hasMessageContaining("no bench server at " + remote)
        .hasMessageContaining("; start ferry serve --bench there");
  }

  @Test
  void connect_withoutProof_getsNothing() throws Exception {
    try (ControlConnection connection = stranger()) {
      String greeting = connection.readLine(1_000);
      assertThat(greeting).startsWith("ferry-bench ");
      connection.writeLine("start {}");
      assertThat(connection.readLine(1_000)).startsWith("refused this is a bench server");
      assertThat(connection.readLine(1_000)).isNull();
    }
  }

  @Test
  void connect_endlessLine_isCut() throws Exception {
    try (ControlConnection connection = stranger()) {
      connection.writeLine("x".repeat(2 * ControlLine.MOST_REQUEST_BYTES));
      assertThatThrownBy(
              () -> {
                while (connection.readLine(1_000) != null) {
                  // The greeting may come before the end.
                }
                throw new IOException("the end");
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(remote.environment().cores()).isPositive();
  }

  private ControlConnection stranger() throws IOException {
    return new ControlConnection(new Socket("127.0.0.1", server.port()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stop",
        "environment",
        "environment lots SERIAL",
        "environment 67108864 FAST",
        "environment 1 SERIAL",
        "start",
        "start []",
        "start {"
            + ROW
            + "\"source\":\"../source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\"}",
        "start {"
            + ROW
            + "\"source\":\"source\",\"bytes\":-1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\"}",
        "start {"
            + ROW
            + "\"source\":\"source\",\"bytes\":1,\"sha256\":\"../x\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\"}",
        "start {"
            + ROW
            + "\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864}",
        "start {\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\",\"row\":{\"suite\":\"none\",\"table\":\"t\","
            + "\"method\":\"m\",\"parameters\":{}}}",
        "start {\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\",\"row\":{}}",
        "start {"
            + ROW
            + "\"source\":\"source\",\"bytes\":2001,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\"}",
        "start {"
            + ROW
            + "\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\",\"flags\":[\"-XX:OnError=sh\"]}",
        "start {\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\"}",
        "start {\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\",\"row\":{\"suite\":\"machine\",\"table\":\"ceilings\","
            + "\"method\":\"m\",\"parameters\":{}}}",
        "start {\"source\":\"source\",\"bytes\":1,\"sha256\":\""
            + D
            + "\",\"heapBytes\":67108864,"
            + "\"collector\":\"SERIAL\",\"row\":{\"suite\":\"machine\",\"table\":\"ceilings\","
            + "\"method\":\"file-read\",\"parameters\":{\"Load\":\"1 2\"}}}"
      })
  void request_thatNoBenchMakes_isRefused(String request) throws Exception {
    try (ControlConnection connection = remote.connect()) {
      connection.writeLine(request);
      assertThat(connection.readLine(1_000)).startsWith("refused ");
    }
    assertThat(log).hasSize(1);
  }

  @Test
  void start_fileWithAnotherDigest_isNotKept() throws Exception {
    Workplace workplace = workplace("a", 100, Sha256.of(new byte[Sha256.LENGTH]));

    assertThatThrownBy(() -> startOn(workplace))
        .hasMessageContaining("the server failed: the file that arrived has another digest");
  }

  @Test
  void start_ofCeilings_measuresAndReadsUploadsThere() throws Exception {
    Workplace workplace = workplace("a", 1_000, null);
    try (ServerProcess process = startOn(workplace)) {
      assertThat(process.port()).isPositive();
      process.startMeters();
      assertThat(process.stopMeters().usage().cpuNanos()).isNotNegative();
      TargetFolder uploads = process;
      assertThat(uploads.read(Workplace.SOURCE))
          .isEqualTo(new TargetFolder.Content(1_000, workplace.sha256()));
      for (String name : List.of("../job.json", "/etc/hostname", "", ".", "none", "a b")) {
        assertThatThrownBy(() -> uploads.read(name)).hasMessageContaining("the server failed: ");
        assertThatThrownBy(() -> uploads.renew(name)).hasMessageContaining("the server failed: ");
      }
      uploads.renew(Workplace.SOURCE);
      assertThat(uploads.read(Workplace.SOURCE).sha256()).isEqualTo(workplace.sha256());
      uploads.delete(Workplace.SOURCE);
      assertThatThrownBy(() -> uploads.delete(Workplace.SOURCE)).isInstanceOf(IOException.class);
    }
    // The file is kept for the next row, and no longer than there is room.
    try (ControlConnection connection = remote.connect()) {
      assertThat(start(connection, workplace)).isEqualTo("have");
    }
    startOn(workplace("b", 1_500, null)).close();
    try (ControlConnection connection = remote.connect()) {
      assertThat(start(connection, workplace)).isEqualTo("send");
    }
  }

  @Test
  void start_serverThatIsLost_isToldToWhoStartedIt() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    Workplace workplace = workplace("a", 100, null);
    try (ServerProcess process =
        ServerProcess.startOn(remote, CEILING, workplace, lost::countDown)) {
      server.close();

      assertThat(lost.await(HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(process::startMeters).hasMessageContaining("the connection to the bench");
    }
  }

  private ServerProcess startOn(Workplace workplace) throws IOException {
    return ServerProcess.startOn(remote, CEILING, workplace, () -> {});
  }

  private String start(ControlConnection connection, Workplace workplace) throws IOException {
    ServerRequest request =
        remote.request(CEILING, workplace.source(), workplace.size(), workplace.sha256().toHex());
    connection.writeLine("start " + ControlLine.JSON.writeValueAsString(request));
    return String.valueOf(connection.readLine(1_000));
  }

  private Workplace workplace(String content, int size, @Nullable Sha256 digest)
      throws IOException {
    Path store = Files.createDirectories(folder.resolve("store"));
    Path source =
        Files.write(
            store.resolve(Workplace.SOURCE), content.repeat(size).getBytes(StandardCharsets.UTF_8));
    return new Workplace(
        store, store, source, size, digest == null ? Sha256.ofFile(source) : digest);
  }

  @Test
  void left_smallFilesOfAServer_areWrittenByItsClient() throws Exception {
    Path there = Files.createDirectory(folder.resolve("there"));
    Path here = Files.createDirectory(folder.resolve("here"));
    Files.writeString(there.resolve("certificate.pem"), "a certificate");
    Files.writeString(there.resolve("source"), "large");
    Files.writeString(there.resolve("source-100"), "larger");
    Files.createDirectory(there.resolve("folder"));

    ServerFiles copies = new ServerFiles(here);
    copies.write(new ServerFiles(there).left());
    assertThat(here)
        .isDirectoryContaining(f -> f.endsWith("certificate.pem"))
        .satisfies(f -> assertThat(f.resolve("certificate.pem")).hasContent("a certificate"));
    for (String left : List.of("../x:YQ", "source:YQ", "a", "a:!", "/a:YQ", ".a:YQ")) {
      assertThatThrownBy(() -> copies.write(left))
          .hasMessage("the server's JVM left a file that no server leaves");
    }
  }
}
