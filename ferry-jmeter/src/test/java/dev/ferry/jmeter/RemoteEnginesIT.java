package dev.ferry.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.load.Merge;
import dev.ferry.load.MergedReport;
import dev.ferry.load.OperationResult;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the plan of deploy/load/jmeter as its users do, with JMeter's own programs over TLS. */
final class RemoteEnginesIT {
  private static final int SIZE = 64 * 1024;
  private static final int SECONDS = 12;
  private static final Path HOME = Path.of(System.getProperty("ferry.jmeter.home", ""));
  private static final Pattern MEASURED = Pattern.compile("\"elapsedSeconds\" : ([3-9]\\.\\d+)");

  @TempDir Path folder;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void killAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(String name, List<String> arguments) throws IOException {
    Path work = Files.createDirectories(folder.resolve(name));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.awt.headless=true",
                "-Djava.rmi.server.hostname=127.0.0.1",
                "-jar",
                HOME.resolve("bin/ApacheJMeter.jar").toString(),
                "-Jserver.rmi.ssl.keystore.file=" + folder.resolve("rmi_keystore.jks"),
                "-jjmeter.log"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("out.txt").toFile())
            .start();
    processes.add(process);
    return process;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void await(Path log, int port, Process process) throws Exception {
    while (true) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        assertThat(process.isAlive()).as(() -> read(log)).isTrue();
        Thread.sleep(50);
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void makeKeyStore() throws Exception {
    // As bin/create-rmi-keystore.sh of JMeter does.
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "rmi",
                "-keyalg",
                "EC",
                "-dname",
                "CN=rmi",
                "-validity",
                "1",
                "-storetype",
                "JKS",
                "-keystore",
                folder.resolve("rmi_keystore.jks").toString(),
                "-storepass",
                "changeit",
                "-keypass",
                "changeit")
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
  }

  private void install() throws IOException {
    Files.createDirectories(HOME.resolve("lib/junit"));
    Files.copy(
        Path.of(System.getProperty("ferry.jmeter.jar", "")),
        HOME.resolve("lib/ext/ferry-jmeter.jar"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  @Timeout(300)
  void run_withAKilledEngine_endsAndKeepsItsSeconds() throws Exception {
    install();
    makeKeyStore();
    Path ca = Files.writeString(folder.resolve("ca.pem"), TestCertificates.caPem());
    Path store = Files.createDirectory(folder.resolve("store"));
    Path unused = Files.write(store.resolve("jmeter-get"), new byte[SIZE]);
    ServerSettings tls =
        ServerSettings.defaults().withTls(TestCertificates.server(TestCertificates.loopback()));
    try (ServerPort server = GrpcFiles.serve(LocalFileStore.open(store), "127.0.0.1", 0, tls)) {
      List<Integer> ports = List.of(freePort(), freePort());
      List<Process> engines = new ArrayList<>();
      for (int port : ports) {
        engines.add(start("engine-" + port, List.of("-s", "-Jserver_port=" + port)));
      }
      for (int i = 0; i < ports.size(); i++) {
        await(
            folder.resolve("engine-" + ports.get(i)).resolve("out.txt"),
            ports.get(i),
            engines.get(i));
      }
      String hosts = "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1);
      Path run = folder.resolve("run");
      Process controller =
          start(
              "controller",
              List.of(
                  "-n",
                  "-t" + System.getProperty("ferry.jmeter.plan"),
                  "-R" + hosts,
                  "-Gaddress=ferrys://127.0.0.1:" + server.port(),
                  "-Gca.file=" + ca,
                  "-Gseconds=" + SECONDS,
                  // So few that a slow machine has none left when JMeter interrupts what runs.
                  "-Gget.rate=5",
                  "-Gput.rate=2",
                  "-Jmode=" + HistogramSampleSender.class.getName(),
                  "-Jfolder=" + run,
                  "-Jengines=" + hosts,
                  "-Jseconds=" + SECONDS,
                  "-Jferry.silence=4"));
      double measured = awaitSeconds(run.resolve("worker-2/report.json"), controller);

      engines.get(1).destroyForcibly();

      boolean ended = controller.waitFor(180, TimeUnit.SECONDS);
      String output = read(folder.resolve("controller/out.txt"));
      assertThat(ended).as(output).isTrue();
      assertThat(controller.exitValue()).as(output).isEqualTo(1);
      assertThat(output)
          .contains("worker 2 of 2 (127.0.0.1:" + ports.get(1) + ") has been silent for");

      MergedReport merged = Merge.of(run);
      assertThat(merged.complete()).isFalse();
      assertThat(merged.missing()).isEmpty();
      assertThat(merged.workers().get(0).state().complete()).isTrue();
      assertThat(merged.workers().get(1).state().complete()).isFalse();
      assertThat(merged.workers().get(1).state().seconds()).isGreaterThanOrEqualTo(measured);
      assertThat(merged.notes())
          .anyMatch(
              note ->
                  note.startsWith("worker 2 of 2 (127.0.0.1:" + ports.get(1) + ") ended after"));
      // On a slow machine some are left when JMeter interrupts what runs.
      assertThat(merged.all().errors().keySet()).isSubsetOf("CANCELLED");
      assertThat(merged.operations())
          .extracting(OperationResult::operation)
          .containsExactly("get", "put");
      for (OperationResult operation : merged.operations()) {
        long done = operation.latencies().getTotalCount();
        assertThat(done).isPositive();
        assertThat(operation.bytes()).isEqualTo(done * SIZE);
      }
    }
  }

  private double awaitSeconds(Path report, Process controller) throws Exception {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < until) {
      String output = read(folder.resolve("controller/out.txt"));
      assertThat(controller.isAlive()).as(output).isTrue();
      Matcher matcher = MEASURED.matcher(Files.exists(report) ? read(report) : "");
      if (matcher.find()) {
        return Double.parseDouble(matcher.group(1));
      }
      Thread.sleep(50);
    }
    throw new AssertionError(read(folder.resolve("controller/out.txt")));
  }
}
