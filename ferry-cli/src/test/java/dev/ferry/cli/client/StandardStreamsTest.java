package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.Servers;
import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.LocalFileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files from standard input and to standard output, by processes of their own. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class StandardStreamsTest {
  private static final int SEVERAL_CHUNKS = 3_000_001;

  @TempDir Path root;
  @TempDir Path local;
  private Servers servers;

  @BeforeEach
  void start() throws Exception {
    servers = Servers.start(root);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  /** Runs a command whose standard input and output are files. */
  private Outcome run(Path in, Path out, int port, CarrierChoice carrier, String... command)
      throws Exception {
    List<String> words = new ArrayList<>(List.of(command));
    words.add("--server=" + Servers.HOST + ":" + port);
    words.add("--carrier=" + carrier);
    return run(in, out, words);
  }

  private Outcome run(Path in, Path out, List<String> command) throws Exception {
    Path err = local.resolve("err");
    List<String> line =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                PseudoTerminal.SHORT_LIFE,
                "-Djava.io.tmpdir=" + Files.createDirectories(local.resolve("tmp")),
                Main.class.getName()));
    line.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(local.resolve("tmp")).isEmptyDirectory();
    return new Outcome(process.exitValue(), "", Files.readString(err));
  }

  @ParameterizedTest
  @CsvSource({"cat, GRPC", "cat, HTTP", "get, HTTP"})
  void catAndGet_toStandardOutput_writeTheFileAndNothingElse(String command, CarrierChoice carrier)
      throws Exception {
    Path file = TestFiles.write(root.resolve("f"), TestFiles.random(SEVERAL_CHUNKS, 1));
    Path out = local.resolve("out");
    String[] arguments =
        command.equals("cat") ? new String[] {"cat", "f"} : new String[] {"get", "f", "-"};
    Outcome outcome = run(Path.of("/dev/null"), out, servers.port(carrier), carrier, arguments);
    assertThat(outcome.complaints()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(Files.mismatch(out, file)).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void cat_connectionLostAgainAndAgain_goesOnAndVerifies(CarrierChoice carrier) throws Exception {
    Path file = TestFiles.write(root.resolve("f"), TestFiles.incompressible(2 * SEVERAL_CHUNKS, 1));
    Path out = local.resolve("out");
    try (TcpProxy proxy = new TcpProxy(servers.port(carrier))) {
      // Each attempt gets further, so that none is a second one in vain.
      proxy.cutEach(2_000_000);
      String[] cat = {"cat", "f", "--gzip", "-v", "--retries=1"};
      Outcome outcome = run(Path.of("/dev/null"), out, proxy.port(), carrier, cat);
      assertThat(outcome.err()).contains("connection lost", "; retrying in ", "verified");
      assertThat(outcome.err().lines().filter(line -> line.contains("; retrying in ")))
          .hasSizeGreaterThan(1);
      assertThat(outcome.exitCode()).isZero();
    }
    assertThat(Files.mismatch(out, file)).isEqualTo(-1);
  }

  /** A store whose files are not what their digests say. */
  private static final class WrongDigests extends ForwardingStore {
    WrongDigests(Path root) throws FerryException {
      super(LocalFileStore.open(root));
    }

    @Override
    public FileSource open(StorePath path) throws FerryException {
      LocalFileSource source = (LocalFileSource) super.open(path);
      return source.withDigests(List.<Digest>of(new Crc32c(1)), digest -> {});
    }

    @Override
    public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
      return stat(path, false).withDigest(new Crc32c(1));
    }
  }

  @Test
  void cat_damagedFile_failsAtTheEndAndSaysSo() throws Exception {
    Path file = TestFiles.write(root.resolve("f"), TestFiles.random(1000, 1));
    Path out = local.resolve("out");
    try (Servers wrong = Servers.start(new WrongDigests(root))) {
      CarrierChoice carrier = CarrierChoice.HTTP;
      Outcome outcome =
          run(Path.of("/dev/null"), out, wrong.port(carrier), carrier, "cat", "-q", "f", "f");
      assertThat(outcome.err().strip())
          .isEqualTo(
              "ferry cat: f: damaged: what was written has the crc32c "
                  + Digest.Algorithm.CRC32C.ofFile(file)
                  + ", and the file of the server 00000001");
      assertThat(outcome.exitCode()).isEqualTo(8);
    }
    assertThat(Files.mismatch(out, file)).isEqualTo(-1);
  }

  @Test
  void cat_readerThatCloses_endsSilently() throws Exception {
    TestFiles.sparse(root.resolve("f"), 64L << 20);
    Path script =
        Files.writeString(
            local.resolve("script"),
            "{ '%s' %s cat -q f --server=%s; echo $? >'%s'; } | head -c 10 >/dev/null"
                .formatted(
                    ProcessHandle.current().info().command().orElse("java"),
                    Main.class.getName(),
                    servers.address(CarrierChoice.GRPC),
                    local.resolve("code")));
    ProcessBuilder shell = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true);
    shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = shell.start();
    assertThat(new String(process.getInputStream().readAllBytes())).isEmpty();
    assertThat(local.resolve("code")).hasContent("141");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat f",
        "ls",
        "ls --json",
        "stat f",
        "get f copy",
        "rm f --json",
        "help",
        "config"
      })
  void command_ontoAFullDisk_saysSo(String command) throws Exception {
    TestFiles.write(root.resolve("f"), TestFiles.random(SEVERAL_CHUNKS, 1));
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    if (words.size() > 1 || words.contains("ls")) {
      words.add("--server=" + servers.address(CarrierChoice.GRPC));
    }
    words.replaceAll(word -> word.equals("copy") ? local.resolve("copy").toString() : word);
    Outcome outcome = run(Path.of("/dev/null"), Path.of("/dev/full"), words);
    assertThat(outcome.err()).contains("standard output: no space left on the disk");
    assertThat(outcome.exitCode()).isEqualTo(9);
  }

  @Test
  void commands_withFewDescriptors_sayHowToRaiseThem() throws Exception {
    Files.writeString(root.resolve("f"), "contents");
    Path script = local.resolve("script");
    for (String command :
        new String[] {"ls --carrier=grpc", "serve " + root + " --grpc-port=0 --http-port=0"}) {
      // So many processors have more event loops than descriptors. The class path takes some.
      Files.writeString(
          script,
          "ulimit -n 150; '%s' -XX:ActiveProcessorCount=64 %s %s"
              .formatted(
                  ProcessHandle.current().info().command().orElse("java"),
                  Main.class.getName(),
                  command));
      ProcessBuilder shell = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true);
      shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
      Process process = shell.start();
      assertThat(new String(process.getInputStream().readAllBytes()).lines())
          .singleElement()
          .asString()
          .endsWith(": too many open files; raise the limit of this process (ulimit -n)");
      assertThat(process.waitFor()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void put_fromStandardInput_storesIt(CarrierChoice carrier) throws Exception {
    Path file = TestFiles.write(local.resolve("f"), TestFiles.random(SEVERAL_CHUNKS, 1));
    Path out = local.resolve("out");
    Outcome outcome = run(file, out, servers.port(carrier), carrier, "put", "-", "stored");
    assertThat(outcome.complaints()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(Files.mismatch(root.resolve("stored"), file)).isEqualTo(-1);
    // The temporary file on the way is private.
    assertThat(TestFiles.permissions(root.resolve("stored")))
        .isEqualTo(TestFiles.permissions(Files.createFile(local.resolve("new"))));
    assertThat(Files.readString(out)).startsWith("- -> stored: ").contains(" verified");
  }

  /** The JVM opens its modules as descriptor 0, where the script is not there to open another. */
  @Test
  void put_fromClosedStandardInput_isRefused() throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder(
                "sh",
                "-c",
                PseudoTerminal.ferry(Main.class)
                    + " put - stored --server="
                    + servers.address(CarrierChoice.HTTP)
                    + " <&-")
            .redirectErrorStream(true);
    shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = shell.start();
    assertThat(new String(process.getInputStream().readAllBytes()).strip())
        .isEqualTo(
            "ferry put: standard input is closed; give it a file or a pipe, or name a file in place"
                + " of '-'");
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void streams_thatCannotBe_areRefused() {
    for (String[] command :
        new String[][] {
          {"put", "-"},
          {"put", "-", "dir/"},
          {"cat", "f", "--json"},
          {"get", "f", "-", "--json"},
          {"get", "f", "-", "--streams=2"}
        }) {
      assertThat(Outcome.of(command).exitCode()).isEqualTo(2);
    }
  }
}
