package dev.ferry.s3.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;

/**
 * A small Ceph with two S3 gateways ({@code tools/ceph.sh}). One runs for all tests of a JVM and
 * ends with it, also if the JVM is killed.
 */
public final class CephStore {
  private static final Path TOOLS = Path.of("../tools").toAbsolutePath().normalize();
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path INSTALL_LOG = TARGET.resolve("install-ceph.log");
  private static final Path LOG = TARGET.resolve("ceph.log");
  private static final int INSTALL_SECONDS = 300;
  private static final int COMMAND_SECONDS = 90;

  /** As in the script. */
  private static final AwsBasicCredentials CREDENTIALS =
      AwsBasicCredentials.create(
          "FERRYTESTACCESSKEY01", "FerryTestSecretKey0000000000000000000001");

  private static @Nullable CephStore running;

  private final Path folder;
  private final List<URI> gateways;
  private final AtomicInteger buckets = new AtomicInteger();

  private CephStore(Path folder, List<URI> gateways) {
    this.folder = folder;
    this.gateways = gateways;
  }

  /**
   * Returns the one of this JVM, and starts it first if it does not run. Installs Ceph if it is
   * missing. If that fails, the test is skipped.
   */
  public static synchronized CephStore get() throws Exception {
    if (running == null) {
      Assumptions.assumeTrue(
          runs(INSTALL_LOG, INSTALL_SECONDS, "install-ceph.sh"),
          () -> "skipped: install Ceph (tools/install-ceph.sh); see " + INSTALL_LOG);
      running = start();
    }
    return running;
  }

  private static CephStore start() throws IOException {
    Path folder = TARGET.resolve("ceph-" + ProcessHandle.current().pid());
    delete(folder);
    Process process =
        new ProcessBuilder(TOOLS.resolve("ceph.sh").toString(), "run", folder.toString())
            .redirectError(LOG.toFile())
            .start();
    // The script stops Ceph at the end of its input, which is the end of this JVM at the latest.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, folder)));
    BufferedReader output = process.inputReader();
    if (!"running".equals(output.readLine())) {
      throw new IOException("Ceph did not start; see " + LOG);
    }
    List<URI> gateways =
        Files.readAllLines(folder.resolve("s3")).stream().map(URI::create).toList();
    return new CephStore(folder, gateways);
  }

  private static void stop(Process process, Path folder) {
    try {
      process.getOutputStream().close();
      if (process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        delete(folder);
      }
    } catch (IOException | InterruptedException e) {
      // The JVM ends now, and the next run deletes the folder or makes another one.
      e.printStackTrace();
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Makes an empty bucket. */
  public TestBucket newBucket() throws IOException {
    return TestBucket.make(gateways, CREDENTIALS, "ferry-" + buckets.incrementAndGet());
  }

  /** Kills a gateway, from 0, by SIGKILL. */
  public void killGateway(int number) throws Exception {
    command("kill-gateway", number + 1);
  }

  /** Starts a gateway that was killed; it has the same address. */
  public void startGateway(int number) throws Exception {
    command("gateway", number + 1);
  }

  /** Kills one of the three OSDs, from 0, by SIGKILL. Objects have two copies on two of them. */
  public void killOsd(int number) throws Exception {
    command("kill-osd", number);
  }

  /** Starts an OSD that was killed. */
  public void startOsd(int number) throws Exception {
    command("osd", number);
  }

  private void command(String command, int number) throws Exception {
    if (!runs(LOG, COMMAND_SECONDS, "ceph.sh", command, "" + number, folder.toString())) {
      throw new IOException("ceph.sh " + command + " " + number + " failed; see " + LOG);
    }
  }

  /** Whether a script ends well, within seconds. */
  private static boolean runs(Path log, int seconds, String script, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(TOOLS.resolve(script).toString()));
    command.addAll(List.of(arguments));
    Files.createDirectories(TARGET);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process.getOutputStream().close();
    if (process.waitFor(seconds, TimeUnit.SECONDS)) {
      return process.exitValue() == 0;
    }
    process.destroyForcibly();
    return false;
  }
}
