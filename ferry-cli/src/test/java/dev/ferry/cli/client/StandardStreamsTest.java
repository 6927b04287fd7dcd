package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.ExecutedCommands;
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
import java.nio.file.StandardOpenOption;
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
import org.junit.jupiter.params.provider.EnumSource;

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
    return run(in, out, Main.class, words);
  }

  /** Runs commands one after another, with one standard output for all. */
  private List<Outcome> runEach(Path out, List<List<String>> commands) throws Exception {
    Path file = ExecutedCommands.write(local.resolve("commands"), commands);
    Outcome all = run(Path.of("/dev/null"), out, ExecutedCommands.class, List.of(file.toString()));
    List<Outcome> outcomes = ExecutedCommands.outcomes(all.err());
    assertThat(outcomes).as(all.err()).hasSameSizeAs(commands);
    return outcomes;
  }

  private Outcome run(Path in, Path out, Class<?> program, List<String> command) throws Exception {
    Path err = local.resolve("err");
    List<String> line =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                PseudoTerminal.SHORT_LIFE,
                "-Djava.io.tmpdir=" + Files.createDirectories(local.resolve("tmp")),
                program.getName()));
    line.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = builder.start();
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(local.resolve("tmp")).isEmptyDirectory();
    return new Outcome(process.exitValue(), "", Files.readString(err));
  }

  @Test
  void catAndGet_toStandardOutput_writeTheFileAndNothingElse() throws Exception {
    byte[] bytes = TestFiles.random(SEVERAL_CHUNKS, 1);
    TestFiles.write(root.resolve("f"), bytes);
    Path out = local.resolve("out");
    Path expected = local.resolve("expected");
    List<List<String>> commands =
        List.of(
            List.of("cat", "f", server(CarrierChoice.GRPC), "--carrier=grpc"),
            List.of("cat", "f", server(CarrierChoice.HTTP), "--carrier=http"),
            List.of("get", "f", "-", server(CarrierChoice.HTTP), "--carrier=http"));
    for (Outcome outcome : runEach(out, commands)) {
      assertThat(outcome.complaints()).isEmpty();
      assertThat(outcome.exitCode()).isZero();
      Files.write(expected, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    assertThat(Files.mismatch(out, expected)).isEqualTo(-1);
  }

  private String server(CarrierChoice carrier) {
    return "--server=" + servers.address(carrier);
  }

  @Test
  void cat_connectionLostAgainAndAgain_goesOnAndVerifies() throws Exception {
    byte[] bytes = TestFiles.incompressible(2 * SEVERAL_CHUNKS, 1);
    TestFiles.write(root.resolve("f"), bytes);
    Path out = local.resolve("out");
    Path expected = local.resolve("expected");
    try (TcpProxy grpc = new TcpProxy(servers.port(CarrierChoice.GRPC));
        TcpProxy http = new TcpProxy(servers.port(CarrierChoice.HTTP))) {
      List<List<String>> commands = new ArrayList<>();
      for (TcpProxy proxy : List.of(grpc, http)) {
        // Each attempt gets further, so that none is a second one in vain.
        proxy.cutEach(2_000_000);
        String carrier = proxy == grpc ? "--carrier=grpc" : "--carrier=http";
        String server = "--server=" + proxy.address();
        commands.add(List.of("cat", "f", "--gzip", "-v", "--retries=1", server, carrier));
      }
      for (Outcome outcome : runEach(out, commands)) {
        assertThat(outcome.err()).contains("connection lost", "; retrying in ", "verified");
        assertThat(outcome.err().lines().filter(line -> line.contains("; retrying in ")))
            .hasSizeGreaterThan(1);
        assertThat(outcome.exitCode()).isZero();
        Files.write(expected, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    }
    assertThat(Files.mismatch(out, expected)).isEqualTo(-1);
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
            "{ '%s' %s %s cat -q f --server=%s; echo $? >'%s'; } | head -c 10 >/dev/null"
                .formatted(
                    ProcessHandle.current().info().command().orElse("java"),
                    PseudoTerminal.SHORT_LIFE,
                    Main.class.getName(),
                    servers.address(CarrierChoice.GRPC),
                    local.resolve("code")));
    ProcessBuilder shell = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true);
    shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = shell.start();
    assertThat(new String(process.getInputStream().readAllBytes())).isEmpty();
    assertThat(local.resolve("code")).hasContent("141");
  }

  @Test
  void command_ontoAFullDisk_saysSo() throws Exception {
    TestFiles.write(root.resolve("f"), TestFiles.random(SEVERAL_CHUNKS, 1));
    Path full = Path.of("/dev/full");
    String server = server(CarrierChoice.GRPC);
    List<List<String>> commands =
        List.of(
            List.of("cat", "f", server),
            List.of("ls", server),
            List.of("ls", "--json", server),
            List.of("stat", "f", server),
            List.of("get", "f", local.resolve("copy").toString(), server),
            List.of("help"),
            List.of("config"),
            List.of("rm", "f", "--json", server));
    List<Outcome> outcomes = new ArrayList<>();
    // It has to be the exit code of its process, too.
    outcomes.add(run(Path.of("/dev/null"), full, Main.class, commands.get(2)));
    outcomes.addAll(runEach(full, commands));
    for (Outcome outcome : outcomes) {
      assertThat(outcome.err()).contains("standard output: no space left on the disk");
      assertThat(outcome.exitCode()).isEqualTo(9);
    }
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
          "ulimit -n 150; '%s' %s -XX:ActiveProcessorCount=64 %s %s"
              .formatted(
                  ProcessHandle.current().info().command().orElse("java"),
                  PseudoTerminal.SHORT_LIFE,
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
