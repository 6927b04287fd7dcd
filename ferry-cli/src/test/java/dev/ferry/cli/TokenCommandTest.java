package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens, from the command that makes them to the commands that send them. */
@Timeout(300)
final class TokenCommandTest {
  @TempDir Path local;
  private Path callers = Path.of("");

  @BeforeEach
  void chooseFile() {
    callers = local.resolve("callers");
  }

  private static void assertFailure(Outcome outcome, int exitCode, String line) {
    assertThat(outcome.err().strip()).isEqualTo(line);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
    assertThat(outcome.out()).isEmpty();
  }

  /** Adds a caller; gives a private file with its token. */
  private Path token(String name, String... rules) throws Exception {
    String[] args = new String[rules.length + 4];
    args[0] = "token";
    args[1] = "add";
    args[2] = callers.toString();
    args[3] = name;
    System.arraycopy(rules, 0, args, 4, rules.length);
    Outcome added = Outcome.of(args);
    assertThat(added.err()).isEmpty();
    Path file = Files.writeString(local.resolve(name), added.out());
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void token_addListRemove_changeTheFile() throws Exception {
    Path alice = token("alice", "read:/", "write:/in box");
    assertThat(alice).content().matches("ferry_\\S{43}\\R");
    Path bob = token("bob", "all:/");
    assertThat(Outcome.of("token", "list", callers.toString()))
        .isEqualTo(new Outcome(0, "alice  read:/  write:/in box\nbob  all:/\n", ""));
    assertThat(Outcome.of("token", "remove", callers.toString(), "alice"))
        .isEqualTo(new Outcome(0, "", ""));
    CallersFile file = CallersFile.open(callers);
    assertThat(file.find(Files.readString(alice).strip())).isNull();
    assertThat(file.find(Files.readString(bob).strip())).isNotNull();
  }

  @Test
  void token_addToAFileThatIsMountedByItself_namesIt() throws Exception {
    Path unused = token("alice", "read:/");
    assumeThat(new ProcessBuilder("unshare", "-m", "true").start().waitFor())
        .as("mounts need root")
        .isZero();
    ProcessBuilder shell =
        new ProcessBuilder(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount --bind \"$0\" \"$0\" && "
                    + PseudoTerminal.FERRY
                    + " token add \"$0\" bob read:/",
                callers.toString())
            .redirectErrorStream(true);
    shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = shell.start();
    assertThat(new String(process.getInputStream().readAllBytes()).strip())
        .startsWith("ferry token add: " + callers + ": cannot be replaced (")
        .endsWith("; if it is mounted by itself, as into a container, mount its folder");
    assertThat(process.waitFor()).isEqualTo(5);
    assertThat(Outcome.of("token", "list", callers.toString()).out()).isEqualTo("alice  read:/\n");
    assertThat(callers.resolveSibling("callers.new")).doesNotExist();
  }

  @Test
  void token_rotateAndSet_changeTheCallerAlone() throws Exception {
    Path alice = token("alice", "read:/", "calls:4");
    Path bob = token("bob", "all:/");
    String file = callers.toString();
    Outcome rotated = Outcome.of("token", "rotate", "--keep", "1h", file, "alice");
    assertThat(rotated.out()).matches("ferry_\\S{43}\\R");
    CallersFile both = CallersFile.open(callers);
    assertThat(both.find(Files.readString(alice).strip())).isNotNull();
    assertThat(both.find(rotated.out().strip())).isNotNull();
    assertThat(Outcome.of("token", "set", file, "alice", "list:/a b"))
        .isEqualTo(new Outcome(0, "", ""));
    assertThat(Outcome.of("token", "list", file).out())
        .matches("alice  list:/a b  \\(former token valid until \\S+Z\\)\nbob  all:/\n");
    assertThat(CallersFile.open(callers).find(rotated.out().strip())).isNotNull();
    Outcome again = Outcome.of("token", "rotate", "--keep", "0", file, "alice");
    CallersFile one = CallersFile.open(callers);
    assertThat(one.find(rotated.out().strip())).isNull();
    assertThat(one.find(again.out().strip())).isNotNull();
    assertThat(one.find(Files.readString(bob).strip())).isNotNull();
    assertThat(Outcome.of("token", "list", file).out()).isEqualTo("alice  list:/a b\nbob  all:/\n");
    assertFailure(
        Outcome.of("token", "rotate", file, "carol"),
        3,
        "ferry token rotate: "
            + file
            + ": no user 'carol'; 'ferry token list "
            + file
            + "' shows those it has");
  }

  @Test
  void token_wrongUse_isOneLine() {
    String file = callers.toString();
    assertFailure(
        Outcome.of("token"),
        2,
        "ferry token: nothing to do; give add, rotate, set, list or remove; try 'ferry token --help'");
    assertFailure(
        Outcome.of("token", "ad"),
        2,
        "ferry token: unknown command 'ad'; use one of: add, list, remove, rotate, set; try 'ferry"
            + " token --help'");
    assertFailure(
        Outcome.of("token", "add", file, "alice"),
        2,
        "ferry token add: Missing required parameter: 'RULE'; try 'ferry token add --help'");
    assertFailure(
        Outcome.of("token", "add", file, "alice", "read"),
        1,
        "ferry token add: 'read' is not a rule; give read, list, create, write, delete or all, and"
            + " a path, such as read:/ or write:/inbox");
    assertFailure(
        Outcome.of("token", "list", file),
        3,
        "ferry token list: "
            + file
            + ": no such file; 'ferry token add "
            + file
            + " NAME RULE' makes it");
  }

  @ParameterizedTest
  @EnumSource
  void commands_withATokenFile_areThoseOfTheCaller(CarrierChoice carrier) throws Exception {
    Path root = Files.createDirectory(local.resolve("root"));
    Files.createDirectory(root.resolve("inbox"));
    Files.writeString(root.resolve("f"), "contents");
    String owner = "--token-file=" + token("owner", "all:/");
    String creator = "--token-file=" + token("creator", "create:/inbox");
    ServerSettings settings = ServerSettings.defaults().withCallers(CallersFile.open(callers));
    try (Servers servers = Servers.start(LocalFileStore.open(root), settings)) {
      String server = "--server=" + servers.address(carrier);
      String name = "--carrier=" + carrier;
      String target = local.resolve("target").toString();
      assertThat(Outcome.of("ls", server, name, owner).out()).contains("  f", "  inbox/");
      Outcome get = Outcome.of("get", "f", target, server, name, owner);
      assertThat(get.complaints()).isEmpty();
      // It may not look whether the file is there, and sends it all the same.
      Outcome put = Outcome.of("put", target, "inbox/", server, name, creator);
      assertThat(put.complaints()).isEmpty();
      assertThat(root.resolve("inbox/target")).hasContent("contents");
      assertFailure(
          Outcome.of("put", target, "inbox/", server, name, creator),
          4,
          "ferry put: inbox/target: exists; --force replaces it, --no-clobber leaves it alone");
      assertFailure(
          Outcome.of("ls", server, name),
          5,
          "ferry ls: this server requires a token; give your token with --token-file");
    }
  }

  /** The server says the same of a name that it hides and of one that it does not have. */
  @ParameterizedTest
  @EnumSource
  void commands_namesThatTheUserMayNotSee_sayThatThisMayBeSo(CarrierChoice carrier)
      throws Exception {
    Path root = Files.createDirectory(local.resolve("root"));
    Files.createDirectories(root.resolve("inbox"));
    Files.createDirectories(root.resolve("out"));
    Files.writeString(root.resolve("out/f"), "contents");
    String source = Files.writeString(local.resolve("f"), "new").toString();
    String creator = "--token-file=" + token("creator", "create:/inbox");
    ServerSettings settings = ServerSettings.defaults().withCallers(CallersFile.open(callers));
    try (Servers servers = Servers.start(LocalFileStore.open(root), settings)) {
      String[] options = {"--server=" + servers.address(carrier), "--carrier=" + carrier, creator};
      String seen = "; 'ferry ls' shows what the user may see, which may not be all";
      for (String name : List.of("out/f", "out/no")) {
        String file = name + ": no such file";
        assertFailure(run(options, "get", name, source), 3, "ferry get: " + file + seen);
        assertFailure(run(options, "ls", name), 3, "ferry ls: " + file + seen);
        assertFailure(run(options, "stat", name), 3, "ferry stat: " + file + seen);
        assertFailure(run(options, "rm", name), 3, "ferry rm: " + file + seen);
        assertFailure(run(options, "mv", name, "inbox/x"), 3, "ferry mv: " + file + seen);
        assertFailure(
            run(options, "mkdir", name),
            3,
            "ferry mkdir: " + file + ", or the user may not see it; --parents makes it");
        assertFailure(
            run(options, "put", source, name),
            3,
            "ferry put: out: no such folder, or the user may not see it; --parents makes it");
      }
      assertFailure(run(options, "put", source, "f"), 3, "ferry put: f: no such file" + seen);
      String refused = "inbox/f: this user may not read it; check the permissions there";
      assertFailure(run(options, "get", "inbox/f", source), 5, "ferry get: " + refused);
      assertFailure(run(options, "stat", "inbox/f"), 5, "ferry stat: " + refused);
      assertThat(run(options, "ls").out()).endsWith(" inbox/\n").hasLineCount(1);
    }
  }

  private static Outcome run(String[] options, String... command) {
    return Outcome.of(Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new));
  }

  @Test
  void get_inParts_sendsTheTokenOnEveryConnection() throws Exception {
    Path root = Files.createDirectory(local.resolve("root"));
    byte[] contents = new byte[3 << 20];
    Files.write(root.resolve("f"), contents);
    Path owner = token("owner", "all:/");
    ServerSettings settings = ServerSettings.defaults().withCallers(CallersFile.open(callers));
    try (Servers servers = Servers.start(LocalFileStore.open(root), settings)) {
      Path target = local.resolve("target");
      Outcome get =
          Outcome.of(
              "get",
              "f",
              target.toString(),
              "--streams=3",
              "--server=" + servers.address(CarrierChoice.GRPC),
              "--token-file=" + owner);
      assertThat(get.complaints()).isEmpty();
      assertThat(target).binaryContent().isEqualTo(contents);
    }
  }

  @Test
  void token_toAnotherMachineInPlainText_isNotSent() throws Exception {
    Path owner = token("owner", "all:/");
    String refusal =
        "ferry ls: --token-file: the token is not sent to files.invalid in plain text; add --tls,"
            + " or --insecure-no-tls if nobody is on the way; try 'ferry ls --help'";
    String[] args = {"ls", "--server=files.invalid", "--token-file=" + owner};
    assertFailure(Outcome.of(args), 2, refusal);
    // These fail later, since there is no such machine.
    for (String permitted : new String[] {"--tls", "--insecure-no-tls"}) {
      assertThat(Outcome.of(args[0], args[1], args[2], permitted).err())
          .doesNotContain("plain text")
          .contains("files.invalid");
    }
  }

  @Test
  void tokenFile_ofNoUse_isNamed() throws Exception {
    Path file = local.resolve("token");
    assertFailure(
        Outcome.of("ls", "--token-file=" + file),
        3,
        "ferry ls: --token-file: " + file + ": no such file; check the path");
    Files.writeString(file, "two words");
    assertFailure(
        Outcome.of("ls", "--token-file=" + file),
        1,
        "ferry ls: --token-file: "
            + file
            + ": this is not a token, which is one word such as ferry_...; copy it again");
  }
}
