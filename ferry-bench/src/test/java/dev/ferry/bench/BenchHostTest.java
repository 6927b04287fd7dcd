package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.core.Round;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.report.RunJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The bench and its servers as on two machines: two programs that share no file. */
final class BenchHostTest {
  private static final int PATIENCE_SECONDS = 120;
  private static final String ROW =
      "--filter=table=upload,BufferSize=65536,UseCompression=false,method=ZeroCopy";

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path serverWork;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path token;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Process server;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private String address;

  @BeforeEach
  void serve() throws Exception {
    serverWork = Files.createDirectory(folder.resolve("server"));
    server =
        program(
            folder.resolve("server.err"),
            "serve",
            "--bench",
            "--port=0",
            "--work-dir=" + serverWork);
    BufferedReader lines = server.inputReader();
    address = lines.readLine().split(" +")[1];
    token = Files.writeString(folder.resolve("token"), lines.readLine().split(" +")[1]);
  }

  @AfterEach
  void stop() {
    server.destroyForcibly();
  }

  private static Process program(Path err, String... arguments) throws IOException {
    return builder(err, arguments).start();
  }

  private static ProcessBuilder builder(Path err, String... arguments) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(err.toFile());
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }

  private String[] arguments(String... rows) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("bench", "--server=" + address, "--token-file=" + token));
    arguments.addAll(List.of("--profile=smoke", "--file-size=1M"));
    arguments.addAll(List.of(rows));
    arguments.add("--work-dir=" + Files.createDirectories(folder.resolve("work")));
    arguments.add("--out=" + folder.resolve("run"));
    return arguments.toArray(String[]::new);
  }

  @Test
  void bench_serverElsewhere_measuresRowsAndCeilingsOfBothEnds() throws Exception {
    String method = Round.isThorough() ? "ZeroCopy" : "HttpClientFile";
    Outcome outcome =
        Outcome.of(new Main(), arguments("--tls", "--filter=table=upload,method=" + method, "-v"));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.complete()).isTrue();
    assertThat(run.rows())
        .hasSize(Round.times(1, 2))
        .allSatisfy(
            row -> {
              assertThat(row.status()).as(row.reason()).isEqualTo(Status.OK);
              assertThat(row.parameters()).containsKey("Provider");
              assertThat(Objects.requireNonNull(row.client()).cpuMillis()).isPositive();
              assertThat(Objects.requireNonNull(row.server()).cpuMillis()).isPositive();
              assertThat(row.server().directPeakBytes()).isPositive();
              assertThat(row.bound().ceiling()).startsWith("socket-upload");
            });
    Environment machine = Objects.requireNonNull(run.server());
    assertThat(machine.jdk()).isEqualTo(Runtime.version().toString());
    assertThat(outcome.out()).contains("Server on another machine: ");
    assertThat(Files.readString(folder.resolve("run/run.json")))
        .doesNotContain(Files.readString(token));
    assertThat(folder.resolve("work")).isEmptyDirectory();

    server.destroy();
    assertThat(server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).isZero();
    assertThat(serverWork).isEmptyDirectory();
    assertThat(folder.resolve("server.err")).content().doesNotContain("ferry serve: ");
  }

  @Test
  void bench_wrongToken_isRefusedBeforeAnythingRuns() throws Exception {
    Files.writeString(token, "0".repeat(32));
    Outcome outcome = Outcome.of(new Main(), arguments(ROW));

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualToIgnoringNewLines(
            "ferry bench: the bench server "
                + address
                + " says: the token is not its own; give the one that serve --bench printed");
    assertThat(folder.resolve("run")).doesNotExist();
  }

  @Test
  void serverDies_inARun_saysSoAndKeepsWhatWasMeasured() throws Exception {
    Path err = folder.resolve("bench.err");
    Process bench = program(err, arguments(ROW));
    try {
      await(
          () ->
              Files.readString(err).lines().filter(l -> l.contains(" left: upload ")).count() == 2);
      server.destroyForcibly();

      assertThat(bench.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(bench.exitValue()).isEqualTo(1);
    } finally {
      bench.destroyForcibly();
    }
    assertThat(Files.readAllLines(err))
        .last()
        .asString()
        .contains("no bench server at " + address)
        .contains(
            "what was measured is in " + folder.resolve("run") + ", and ferry bench --resume");
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.complete()).isFalse();
    assertThat(run.rows())
        .extracting(Row::status)
        .containsExactlyInAnyOrder(Status.OK, Status.SKIPPED);
    assertThat(folder.resolve("run/report.md")).isNotEmptyFile();
    assertThat(folder.resolve("work")).isEmptyDirectory();
  }

  @Test
  void clientDies_inARow_endsItsServer() throws Exception {
    Process bench = program(folder.resolve("bench.err"), arguments(ROW));
    try {
      await(() -> rowServer().isPresent());
      ProcessHandle rowServer = rowServer().orElseThrow();
      List<ProcessHandle> all = new ArrayList<>(bench.descendants().toList());
      all.add(bench.toHandle());
      all.forEach(ProcessHandle::destroyForcibly);

      rowServer.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(server.isAlive()).isTrue();
    } finally {
      bench.destroyForcibly();
    }
  }

  /** The program in place of ssh runs the command as a shell of the other machine does. */
  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_ssh_startsTheServerAndEndsIt() throws Exception {
    Path ssh =
        script(
            "ssh",
            "while [ \"$1\" != -- ]; do shift; done",
            "[ \"$2\" = 127.0.0.1 ] || exit 255",
            "shift 2",
            "exec sh -c \"$*\"");
    Path pid = folder.resolve("pid");
    Path ferry =
        script(
            "ferry there",
            "echo $$ > '" + pid + "'",
            "exec '%s' -cp '%s' %s \"$@\""
                .formatted(java(), System.getProperty("java.class.path"), Main.class.getName()));
    Path err = folder.resolve("bench.err");
    String baseline = ROW.replace("ZeroCopy", "HttpClient");
    List<String> arguments = new ArrayList<>(List.of(arguments(baseline)));
    arguments.removeIf(argument -> argument.startsWith("--token") || argument.contains("server="));
    arguments.addAll(List.of("--server=127.0.0.1", "--ssh=" + ferry));
    ProcessBuilder builder = builder(err, arguments.toArray(String[]::new));
    builder.environment().put(SshServer.VARIABLE, ssh.toString());
    Process bench = builder.start();
    try {
      assertThat(bench.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(bench.exitValue()).as(Files.readString(err)).isZero();
    } finally {
      bench.destroyForcibly();
    }
    assertThat(RunJson.read(folder.resolve("run/run.json")).rows())
        .extracting(Row::status)
        .containsOnly(Status.OK);
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))).isEmpty();
  }

  private Path script(String name, String... lines) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + String.join("\n", lines));
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private Optional<ProcessHandle> rowServer() {
    return server.descendants().findFirst();
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws Exception {
    for (int i = 0; i < PATIENCE_SECONDS * 100 && !condition.holds(); i++) {
      Thread.sleep(10);
    }
    assertThat(condition.holds()).isTrue();
  }
}
