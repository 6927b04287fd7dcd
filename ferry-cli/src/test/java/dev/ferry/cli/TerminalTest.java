package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Round;
import dev.ferry.core.TcpProxy;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Ctrl-C, Ctrl-Z and the end of a terminal do to a command that runs on one. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class TerminalTest {
  private static final long SIZE = 64L << 20;

  /** Several of the largest frames: of less than one, nothing reaches the file. */
  private static final long STALL_BYTES = 8L << 20;

  @TempDir Path temporary;
  private Path root;
  private Path local;

  @BeforeEach
  void makeFolders() throws Exception {
    root = Files.createDirectory(temporary.resolve("root"));
    local = Files.createDirectory(temporary.resolve("local"));
  }

  static Stream<CarrierChoice> carriers() {
    return Stream.of(CarrierChoice.HTTP, CarrierChoice.GRPC).limit(Round.times(1, 2));
  }

  @ParameterizedTest
  @MethodSource("carriers")
  void get_ctrlC_keepsWhatHasArrivedUnlessItIsDiscarded(CarrierChoice carrier) throws Exception {
    sparseFile(root.resolve("big"));
    try (Servers servers = Servers.start(root);
        TcpProxy proxy = TcpProxy.droppingResponses(servers.port(carrier), STALL_BYTES);
        PseudoTerminal terminal = new PseudoTerminal(get(proxy, carrier))) {
      awaitPart(local, terminal);
      terminal.type(PseudoTerminal.CTRL_C);

      assertThat(terminal.exitCode()).isEqualTo(130);
      assertThat(terminal.lines())
          .singleElement()
          .asString()
          .contains(
              "ferry get: big: ", "cancelled; what has arrived is kept, and the same command");
      assertThat(Received.bytes(local)).isPositive();
      assertThat(local.resolve("big")).doesNotExist();
      proxy.cut();
      try (PseudoTerminal discarding = new PseudoTerminal(get(proxy, carrier) + " --discard")) {
        awaitPart(local, discarding);
        discarding.type(PseudoTerminal.CTRL_C);
        assertThat(discarding.exitCode()).isEqualTo(130);
        assertThat(discarding.lines()).singleElement().asString().contains("; nothing was kept");
      }
      assertThat(local).isEmptyDirectory();
    }
  }

  @Test
  void commands_onADumbTerminal_printPlainLines() throws Exception {
    Files.writeString(root.resolve("small"), "contents");
    try (Servers servers = Servers.start(root)) {
      Path commands =
          ExecutedCommands.write(
              temporary.resolve("commands"),
              List.of(
                  List.of("ls", "--help"),
                  List.of(
                      "get",
                      "small",
                      local.resolve("small").toString(),
                      "--server=" + servers.address(CarrierChoice.GRPC))));
      String program = PseudoTerminal.ferry(ExecutedCommands.class);
      try (PseudoTerminal terminal = new PseudoTerminal(program + " " + commands, "dumb")) {
        assertThat(terminal.exitCode()).isZero();
        assertThat(terminal.screen()).contains("Usage: ", " verified").doesNotContain("\u001b");
        assertThat(terminal.screen().replace("\r\n", "")).doesNotContain("\r");
        assertThat(ExecutedCommands.outcomes(terminal.screen()))
            .extracting(Outcome::exitCode)
            .containsExactly(0, 0);
      }
    }
  }

  @Test
  void get_thatDrawsNoLine_startsNoOtherProgram() throws Exception {
    Path programs = Files.createDirectory(temporary.resolve("programs"));
    Path started = temporary.resolve("started");
    Path shell = programs.resolve("sh");
    Files.writeString(shell, "#!/bin/sh\n: >'" + started + "'\n");
    assertThat(shell.toFile().setExecutable(true)).isTrue();
    try (Servers servers = Servers.start(root);
        PseudoTerminal terminal =
            new PseudoTerminal(
                "PATH='%s':\"$PATH\" %s get missing --server=%s"
                    .formatted(
                        programs, PseudoTerminal.FERRY, servers.address(CarrierChoice.HTTP)))) {
      assertThat(terminal.exitCode()).isEqualTo(3);
      assertThat(terminal.screen()).contains("missing: no such");
      assertThat(started).doesNotExist();
    }
  }

  @Test
  void ls_nobodyListens_givesUpBeforeTheRetriesOfScripts() throws Exception {
    String command = PseudoTerminal.FERRY + " ls --server=127.0.0.1:" + Peers.nobody();
    try (PseudoTerminal terminal = new PseudoTerminal(command)) {
      assertThat(terminal.exitCode()).isEqualTo(6);
      assertThat(terminal.screen())
          .contains("is 'ferry serve' running there?")
          .doesNotContain("gave up after 6 attempts");
    }
  }

  @ParameterizedTest
  @MethodSource("carriers")
  void put_ctrlC_saysSoAndLeavesNothing(CarrierChoice carrier) throws Exception {
    Path file = sparseFile(local.resolve("big"));
    try (Servers servers = Servers.start(root);
        TcpProxy proxy = TcpProxy.droppingRequests(servers.port(carrier), STALL_BYTES);
        PseudoTerminal terminal =
            new PseudoTerminal(
                PseudoTerminal.FERRY
                    + " put --checksum none "
                    + file
                    + " --server="
                    + proxy.address()
                    + " --carrier="
                    + carrier)) {
      awaitPart(root, terminal);
      terminal.type(PseudoTerminal.CTRL_C);

      assertThat(terminal.exitCode()).isEqualTo(130);
      assertThat(terminal.lines()).singleElement().asString().contains("ferry put: big: ");
      awaitDiscarded(root);
    }
  }

  @Test
  void get_terminalClosed_keepsWhatHasArrived() throws Exception {
    sparseFile(root.resolve("big"));
    Path code = temporary.resolve("code");
    Path script = temporary.resolve("script");
    try (Servers servers = Servers.start(root);
        TcpProxy proxy =
            TcpProxy.droppingResponses(servers.port(CarrierChoice.GRPC), STALL_BYTES)) {
      // A shell that outlives the terminal, below the one that ends with it, tells how ferry ended.
      Files.writeString(
          script, "trap : HUP\n" + get(proxy, CarrierChoice.GRPC) + "\necho $? > " + code + "\n");
      try (PseudoTerminal terminal = new PseudoTerminal("sh " + script + "; true")) {
        awaitPart(local, terminal);
        terminal.hangUp();

        awaitContent(code, "129");
        assertThat(Received.bytes(local)).isPositive();
        assertThat(local.resolve("big")).doesNotExist();
      }
    }
  }

  @Test
  void get_stoppedAndTerminated_keepsWhatHasArrived() throws Exception {
    sparseFile(root.resolve("big"));
    try (Servers servers = Servers.start(root);
        TcpProxy proxy = TcpProxy.droppingResponses(servers.port(CarrierChoice.GRPC), STALL_BYTES);
        PseudoTerminal terminal = new PseudoTerminal("bash --noprofile --norc -i")) {
      terminal.type(get(proxy, CarrierChoice.GRPC) + "\n");
      awaitPart(local, terminal);
      terminal.type(PseudoTerminal.CTRL_Z);
      terminal.await("Stopped");
      assertThat(local).isNotEmptyDirectory();
      // Without -f, wait returns at once if bash has not yet noticed that the job continues.
      terminal.type("kill %1; wait -f %1; exit $?\n");

      assertThat(terminal.exitCode()).isEqualTo(143);
      assertThat(terminal.screen()).contains("ferry get: big: ");
      assertThat(Received.bytes(local)).isPositive();
    }
  }

  @Test
  void get_killed_leavesAFileThatAGetOfLaterWeeksRemoves() throws Exception {
    sparseFile(root.resolve("big"));
    Files.writeString(root.resolve("small"), "hello");
    try (Servers servers = Servers.start(root);
        TcpProxy proxy =
            TcpProxy.droppingResponses(servers.port(CarrierChoice.GRPC), STALL_BYTES)) {
      try (PseudoTerminal terminal = new PseudoTerminal(get(proxy, CarrierChoice.GRPC))) {
        awaitPart(local, terminal);
      }
      try (Stream<Path> files = Files.list(local)) {
        Path kept = files.findFirst().orElseThrow();
        assertThat(kept.toString()).endsWith(".kept");
        Files.setLastModifiedTime(kept, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
      }
      // Parts of a living process stay, and parts in other folders.
      Path living = part(ProcessHandle.current());
      Files.createDirectory(local.resolve("below"));
      Path below =
          Files.createFile(local.resolve("below/.ferry-999999999-1-0123456789abcdef.part"));

      Outcome get =
          Outcome.of(
              "get", "small", local.toString(), "--server", servers.address(CarrierChoice.GRPC));

      assertThat(get.exitCode()).as(get.err()).isZero();
      try (Stream<Path> files = Files.list(local)) {
        assertThat(files)
            .containsExactlyInAnyOrder(living, below.getParent(), local.resolve("small"));
      }
      assertThat(below).exists();
    }
  }

  private String get(TcpProxy proxy, CarrierChoice carrier) {
    return PseudoTerminal.FERRY
        + " get big "
        + local
        + " --server="
        + proxy.address()
        + " --carrier="
        + carrier;
  }

  private Path part(ProcessHandle writer) throws Exception {
    long start = writer.info().startInstant().orElseThrow().toEpochMilli();
    return Files.createFile(
        local.resolve(".ferry-" + writer.pid() + "-" + start + "-0123456789abcdef.part"));
  }

  private static Path sparseFile(Path file) throws Exception {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(SIZE);
    }
    return file;
  }

  /** Waits until some of a file has arrived in a folder, and the terminal shows that. */
  private static void awaitPart(Path folder, PseudoTerminal terminal) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (Received.bytes(folder) == 0 && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(Received.bytes(folder)).as(terminal.screen()).isPositive();
    terminal.await("big");
  }

  /** Waits until a server has nothing of a file that it was receiving. */
  private static void awaitDiscarded(Path folder) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (Received.bytes(folder) > 0 && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(Received.bytes(folder)).isZero();
    assertThat(folder.resolve("big")).doesNotExist();
  }

  private static void awaitContent(Path file, String content) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!(Files.exists(file) && Files.readString(file).contains("\n"))
        && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(file).content().isEqualToIgnoringNewLines(content);
  }

  @Test
  void getTree_fileThatIsNotCopied_isNamedOnALineOfItsOwn() throws Exception {
    Files.createDirectories(root.resolve("tree"));
    Files.write(root.resolve("tree/a"), new byte[20_000]);
    Files.write(root.resolve("tree/b"), new byte[120_000]);
    Files.createDirectories(local.resolve("back/z"));
    Files.writeString(root.resolve("tree/z"), "a file in the place of a folder");
    try (Servers servers = Servers.start(root)) {
      // The line of progress is drawn when the last file is tried.
      String get =
          "%s get -r tree %s --force --bwlimit 100K --jobs 1 --server=%s"
              .formatted(
                  PseudoTerminal.FERRY, local.resolve("back"), servers.address(CarrierChoice.HTTP));
      try (PseudoTerminal terminal = new PseudoTerminal(get)) {
        assertThat(terminal.exitCode()).isEqualTo(10);
        assertThat(terminal.screen()).contains(" of 3 files");
        assertThat(terminal.lines())
            .anySatisfy(line -> assertThat(line).startsWith("ferry get: ").contains("back/z"));
      }
    }
  }
}
