package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.ExecutedCommands;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What get and put do with a file that has the name already. */
@Timeout(300)
final class OverwriteTest {
  @TempDir Path root;
  @TempDir Path local;
  private Path remote;
  private Path file;
  private Servers servers;

  @BeforeEach
  void start() throws Exception {
    servers = Servers.start(root);
    remote = root.resolve("f");
    file = local.resolve("f");
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private Outcome run(CarrierChoice carrier, String... command) {
    return Outcome.of(
        Stream.concat(
                Stream.of(command),
                Stream.of("--server", servers.address(carrier), "--carrier", carrier.toString()))
            .toArray(String[]::new));
  }

  private String[] transfer(String command, String... options) {
    Stream<String> names =
        command.equals("get") ? Stream.of("f", file.toString()) : Stream.of(file.toString(), "f");
    return Stream.of(Stream.of(command), names, Stream.of(options))
        .flatMap(all -> all)
        .toArray(String[]::new);
  }

  private Path target(String command) {
    return command.equals("get") ? file : remote;
  }

  private String name(String command) {
    return command.equals("get") ? file.toString() : "f";
  }

  @ParameterizedTest
  @CsvSource({"get, GRPC", "get, HTTP", "put, GRPC", "put, HTTP"})
  void transfer_toADifferentFile_replacesItOnlyByForce(String command, CarrierChoice carrier)
      throws Exception {
    Files.writeString(remote, "remote");
    Files.writeString(file, "local!");
    String old = Files.readString(target(command));

    Outcome refused = run(carrier, transfer(command));
    assertThat(refused)
        .isEqualTo(
            new Outcome(
                4,
                "",
                "ferry "
                    + command
                    + ": "
                    + name(command)
                    + ": already exists; --force replaces it, --no-clobber leaves it alone\n"));
    assertThat(target(command)).hasContent(old);

    Outcome skipped = run(carrier, transfer(command, "--no-clobber"));
    assertThat(skipped)
        .isEqualTo(new Outcome(0, name(command) + ": already exists, left alone\n", ""));
    assertThat(target(command)).hasContent(old);

    assertThat(run(carrier, transfer(command, "--force")).exitCode()).isZero();
    assertThat(remote).hasSameTextualContentAs(file);
    assertThat(target(command)).content().isNotEqualTo(old);
  }

  @ParameterizedTest
  @CsvSource({"get, GRPC", "get, HTTP", "put, GRPC", "put, HTTP"})
  void transfer_toAnEqualFile_leavesIt(String command, CarrierChoice carrier) throws Exception {
    Files.writeString(remote, "equal");
    Files.writeString(file, "equal");
    Object inode = Files.getAttribute(target(command), "unix:ino");

    Outcome outcome = run(carrier, transfer(command));

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains(": unchanged, crc32c ").endsWith(" the same\n");
    assertThat(outcome.exitCode()).isZero();
    assertThat(Files.getAttribute(target(command), "unix:ino")).isEqualTo(inode);
  }

  @ParameterizedTest
  @EnumSource
  void get_noFileOntoAFile_saysWhatIsThere(CarrierChoice carrier) throws Exception {
    Files.writeString(file, "local!");
    assertThat(run(carrier, transfer("get")))
        .isEqualTo(
            new Outcome(
                3, "", "ferry get: f: no such file; 'ferry ls' shows what the server has\n"));
    Files.createDirectory(remote);
    assertThat(run(carrier, transfer("get")))
        .isEqualTo(new Outcome(1, "", "ferry get: f: is a folder; add -r to copy what is in it\n"));
    assertThat(file).hasContent("local!");
  }

  @Test
  void put_toALinkOutOfTheStore_replacesItOnlyByForce() throws Exception {
    Path outside = Files.writeString(local.resolve("outside"), "secret");
    Files.createSymbolicLink(remote, outside);
    Files.writeString(file, "new");
    Outcome refused = run(CarrierChoice.GRPC, transfer("put"));
    assertThat(refused.err()).contains("f: exists; --force replaces it");
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(remote).isSymbolicLink();
    assertThat(run(CarrierChoice.GRPC, transfer("put", "--force")).exitCode()).isZero();
    assertThat(remote).hasContent("new");
    assertThat(outside).hasContent("secret");
  }

  @Test
  void options_thatContradict_areRefused() {
    for (String[] command :
        new String[][] {
          transfer("get", "--force", "--no-clobber"),
          transfer("put", "--force", "--no-clobber"),
          transfer("put", "--force", "--create-only")
        }) {
      Outcome outcome = run(CarrierChoice.GRPC, command);
      assertThat(outcome.err()).contains(": give only one; try");
      assertThat(outcome.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void getAndPut_onATerminal_askAndCtrlCIsNo() throws Exception {
    Files.writeString(remote, "remote");
    Files.writeString(file, "local!");
    List<List<String>> commands = new ArrayList<>();
    List<Path> copies = new ArrayList<>();
    for (CarrierChoice carrier : List.of(CarrierChoice.GRPC, CarrierChoice.HTTP)) {
      Path copy = Files.writeString(local.resolve("copy-" + carrier), "local!");
      copies.add(copy);
      commands.addAll(Collections.nCopies(2, line(carrier, "get", "f", copy.toString())));
    }
    commands.add(line(CarrierChoice.GRPC, "put", file.toString(), "f"));
    try (PseudoTerminal terminal =
        ExecutedCommands.onTerminal(local.resolve("commands"), commands)) {
      for (Path copy : copies) {
        String question = copy + " already exists; replace it? [y/N] ";
        terminal.await(question);
        terminal.type("n\n");
        terminal.await(question, 2);
        assertThat(copy).hasContent("local!");
        terminal.type("y\n");
        terminal.await("=0", 2 * copies.indexOf(copy) + 2);
        assertThat(copy).hasContent("remote");
      }
      terminal.await("f already exists; replace it? [y/N] ");
      terminal.type(PseudoTerminal.CTRL_C);
      assertThat(terminal.exitCode()).isEqualTo(130);
    }
    assertThat(remote).hasContent("remote");
  }

  private List<String> line(CarrierChoice carrier, String command, String from, String to) {
    return List.of(
        command, from, to, "--server=" + servers.address(carrier), "--carrier=" + carrier);
  }
}
