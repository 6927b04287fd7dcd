package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.ExecutedCommands;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.Servers;
import dev.ferry.core.Background;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands rm, mv and mkdir, over real servers. */
@Timeout(300)
final class NameCommandsTest {
  @TempDir Path root;
  private ChangingStore store;
  private Servers servers;

  /** A store that does something after each change. */
  private static final class ChangingStore extends ForwardingStore {
    private volatile Runnable afterChange = () -> {};

    ChangingStore(Path root) throws FerryException {
      super(LocalFileStore.open(root));
    }

    @Override
    public void delete(StorePath path, @Nullable String version) throws FerryException {
      super.delete(path, version);
      afterChange.run();
    }

    @Override
    public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
      super.move(source, target, replace);
      afterChange.run();
    }

    @Override
    public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
        throws FerryException {
      super.makeDirectory(path, parents, mode);
      afterChange.run();
    }
  }

  @BeforeEach
  void start() throws Exception {
    store = new ChangingStore(root);
    servers = Servers.start(store);
    for (String name : List.of("a.csv", "b.csv", "dir/c.csv")) {
      TestFiles.write(root.resolve(name), name.getBytes());
    }
    Files.createDirectory(root.resolve("empty"));
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private Outcome run(CarrierChoice carrier, String... command) {
    return run(servers.port(carrier), carrier, command);
  }

  private static Outcome run(int port, CarrierChoice carrier, String... command) {
    return Outcome.of(
        Stream.concat(
                Stream.of(command),
                Stream.of("--server=" + Servers.HOST + ":" + port, "--client=" + carrier))
            .toArray(String[]::new));
  }

  private static void assertFails(Outcome outcome, int exitCode, String line) {
    assertThat(outcome).isEqualTo(new Outcome(exitCode, "", line + System.lineSeparator()));
  }

  @ParameterizedTest
  @EnumSource
  void rmMvMkdir_overEachCarrier_changeTheStoreAndPrintNothing(CarrierChoice carrier)
      throws Exception {
    Outcome silent = new Outcome(0, "", "");
    assertThat(run(carrier, "mkdir", "-p", "new/er", "empty")).isEqualTo(silent);
    assertThat(run(carrier, "mv", "a.csv", "new/er/x.csv")).isEqualTo(silent);
    assertThat(run(carrier, "mv", "b.csv", "new")).isEqualTo(silent);
    assertThat(run(carrier, "mv", "dir/", "new/er/")).isEqualTo(silent);
    assertThat(run(carrier, "rm", "empty/", "new/b.csv")).isEqualTo(silent);
    assertThat(TestFiles.tree(root))
        .containsExactly("new/", "new/er/", "new/er/dir/", "new/er/dir/c.csv", "new/er/x.csv");
  }

  @Test
  void rm_thatCannotBe_saysWhy() {
    assertFails(
        run(CarrierChoice.GRPC, "rm", "no"),
        3,
        "ferry rm: no: no such file; 'ferry ls' shows what the server has");
    assertFails(
        run(CarrierChoice.HTTP, "rm", "dir"),
        4,
        "ferry rm: dir: the folder is not empty; add -r to delete what is in it");
    assertFails(
        run(CarrierChoice.HTTP, "rm", "/"),
        2,
        "ferry rm: /: is the root folder; name what is in it; try 'ferry rm --help'");
  }

  @ParameterizedTest
  @EnumSource
  void rmAndMkdir_someThatCannotBe_nameThemAndGoOn(CarrierChoice carrier) throws Exception {
    TestFiles.write(root.resolve("tree/t.csv"), new byte[1]);
    Outcome rm = run(carrier, "rm", "a.csv", "no", "dir", "no*", "b.csv");
    assertThat(rm.err().lines())
        .containsExactly(
            "ferry rm: no: no such file; 'ferry ls' shows what the server has",
            "ferry rm: dir: the folder is not empty; add -r to delete what is in it",
            "ferry rm: no*: no such file; 'ferry ls' shows what the server has");
    assertThat(rm.exitCode()).isEqualTo(10);
    assertThat(TestFiles.tree(root))
        .containsExactly("dir/", "dir/c.csv", "empty/", "tree/", "tree/t.csv");
    Outcome trees = run(carrier, "rm", "-r", "dir", "no", "tree");
    assertThat(trees.err()).contains("no: no such file").hasLineCount(1);
    assertThat(trees.exitCode()).isEqualTo(10);
    Outcome mkdir = run(carrier, "mkdir", "empty", "no/such", "made");
    assertThat(mkdir.err()).contains("empty: ", "--parents makes it").hasLineCount(2);
    assertThat(mkdir.exitCode()).isEqualTo(10);
    assertThat(TestFiles.tree(root)).containsExactly("empty/", "made/");
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void rm_treesAndPatterns_deletesAllOfThemAndNoTargetOfALink(CarrierChoice carrier)
      throws Exception {
    TestFiles.write(root.resolve("dir/sub/deep/d.csv"), new byte[1]);
    Files.createDirectory(root.resolve("dir/hollow"));
    TestFiles.write(root.resolve("kept/k.csv"), new byte[1]);
    Files.createSymbolicLink(root.resolve("dir/link"), Path.of("../kept"));
    Outcome silent = new Outcome(0, "", "");
    assertThat(run(carrier, "rm", "-r", "dir", "/empty")).isEqualTo(silent);
    assertThat(TestFiles.tree(root)).containsExactly("a.csv", "b.csv", "kept/", "kept/k.csv");
    assertThat(run(carrier, "rm", "-rv", "[ab].csv", "k*").err())
        .contains("a.csv: deleted", "b.csv: deleted", "kept/k.csv: deleted", "kept: deleted");
    assertThat(root).isEmptyDirectory();
    assertThat(run(carrier, "rm", "-f", "gone")).isEqualTo(silent);
    assertThat(run(carrier, "rm", "-f", "gone*")).isEqualTo(silent);
    assertThat(run(carrier, "rm", "gone*").exitCode()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void wildcards_escapedOrEncoded_areCharactersOfAName(CarrierChoice carrier, @TempDir Path local)
      throws Exception {
    TestFiles.write(root.resolve("d?/x[1]*.csv"), new byte[1]);
    TestFiles.write(root.resolve("d?/x1y.csv"), new byte[2]);
    TestFiles.write(root.resolve("de/x[1]y.csv"), new byte[2]);
    String server = servers.address(carrier);
    String folder =
        carrier == CarrierChoice.GRPC ? "ferry://" + server : "http://" + server + "/files";
    String client = "--client=" + carrier;
    String escaped = "d\\?/x\\[1]\\*.csv";
    String encoded = folder + "/d%3F/x%5B1]%2A.csv";

    assertThat(run(carrier, "get", escaped, local + "/escaped").err()).isEmpty();
    assertThat(Outcome.of("get", encoded, local + "/encoded", client).err()).isEmpty();
    for (String name : List.of("escaped", "encoded")) {
      assertThat(local.resolve(name)).binaryContent().isEqualTo(new byte[1]);
    }
    assertThat(run(carrier, "ls", "d\\?/x*").out()).contains("d?/x[1]*.csv", "d?/x1y.csv");
    assertThat(Outcome.of("ls", folder + "/d%3f/x%5b*", client).out())
        .endsWith(" d?/x[1]*.csv\n")
        .hasLineCount(1);

    Files.delete(root.resolve("d?/x[1]*.csv"));
    String missing = "ferry rm: d?/x[1]*.csv: no such file; 'ferry ls' shows what the server has";
    assertFails(run(carrier, "rm", escaped), 3, missing);
    assertFails(Outcome.of("rm", encoded, client), 3, missing);
    assertThat(root.resolve("d?/x1y.csv")).exists();
    assertThat(root.resolve("de/x[1]y.csv")).exists();
  }

  @ParameterizedTest
  @EnumSource
  void rm_patternWithBackslashes_deletesNothingElse(CarrierChoice carrier) throws Exception {
    TestFiles.write(root.resolve("dsub/y.csv"), new byte[1]);
    TestFiles.write(root.resolve("d\\sub/z.csv"), new byte[1]);

    assertThat(run(carrier, "rm", "-r", "d*/\\.\\.").exitCode()).isEqualTo(2);
    assertThat(run(carrier, "rm", "-r", "d*/\\.").exitCode()).isEqualTo(2);
    assertThat(TestFiles.tree(root)).contains("dsub/y.csv", "d\\sub/z.csv");

    assertThat(run(carrier, "rm", "d\\sub/*.csv").exitCode()).isZero();
    assertThat(TestFiles.tree(root)).contains("dsub/y.csv").doesNotContain("d\\sub/z.csv");
  }

  @Test
  void rm_ofATreeOnATerminal_asksUnlessItIsForced(@TempDir Path local) throws Exception {
    TestFiles.write(root.resolve("other/c.csv"), new byte[1]);
    String server = "--server=" + servers.address(CarrierChoice.GRPC);
    List<List<String>> commands =
        List.of(List.of("rm", "-r", "dir", server), List.of("rm", "-r", "other", "--yes", server));
    try (PseudoTerminal terminal =
        ExecutedCommands.onTerminal(local.resolve("commands"), commands)) {
      terminal.await("Delete dir/ with its 1 file and 0 folders? [y/N] ");
      terminal.type("n\n");
      assertThat(terminal.exitCode()).isZero();
      List<Outcome> outcomes = ExecutedCommands.outcomes(terminal.screen());
      assertThat(outcomes).extracting(Outcome::exitCode).containsExactly(0, 0);
      assertThat(outcomes.get(1).err()).isEmpty();
    }
    assertThat(root.resolve("dir/c.csv")).exists();
    assertThat(root.resolve("other")).doesNotExist();
  }

  @Test
  void mkdir_thatCannotBe_saysWhy() {
    assertFails(
        run(CarrierChoice.GRPC, "mkdir", "no/new"),
        3,
        "ferry mkdir: no: no such folder; --parents makes it");
    assertThat(run(CarrierChoice.HTTP, "mkdir", "dir").exitCode()).isEqualTo(4);
  }

  @Test
  void mv_intoAMissingFolder_namesMkdir() {
    assertFails(
        run(CarrierChoice.GRPC, "mv", "a.csv", "no/such/"),
        3,
        "ferry mv: no: no such folder; 'ferry mkdir -p' makes it");
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void mv_toAnExistingFile_replacesItOnlyByForce(CarrierChoice carrier) throws Exception {
    assertFails(
        run(carrier, "mv", "a.csv", "b.csv"),
        4,
        "ferry mv: b.csv: already exists; --force replaces it, --no-clobber leaves it alone");
    assertThat(run(carrier, "mv", "--no-clobber", "a.csv", "b.csv"))
        .isEqualTo(new Outcome(0, "b.csv: already exists, left alone\n", ""));
    assertThat(root.resolve("b.csv")).hasContent("b.csv");
    for (String option : List.of("--quiet", "--no-clobber")) {
      assertFails(
          run(carrier, "mv", option, "no.csv", "b.csv"),
          3,
          "ferry mv: no.csv: no such file; 'ferry ls' shows what the server has");
    }
    assertThat(run(carrier, "mv", "--force", "a.csv", "b.csv").exitCode()).isZero();
    assertThat(root.resolve("b.csv")).hasContent("a.csv");
    assertThat(root.resolve("a.csv")).doesNotExist();
  }

  /** As a server that starts again behind a port that somebody else has opened. */
  @Test
  void rm_portThatClosesForAWhile_triesAgain() throws Exception {
    CarrierChoice carrier = CarrierChoice.HTTP;
    try (TcpProxy proxy = new TcpProxy(servers.port(carrier));
        ServerSocket closing = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      store.afterChange =
          () -> {
            proxy.forwardTo(closing.getLocalPort());
            proxy.cut();
          };
      Background<Boolean> away =
          Background.start(
              () -> {
                int first;
                do {
                  try (Socket client = closing.accept()) {
                    first = client.getInputStream().read();
                    // That of DELETE, and of no request that finds out what listens there.
                    if (first == 'D') {
                      proxy.forwardTo(servers.port(carrier));
                    }
                  }
                } while (first != 'D');
                return true;
              });
      Outcome outcome = run(proxy.port(), carrier, "rm", "a*.csv");
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(away.result()).isTrue();
    }
    assertThat(root.resolve("a.csv")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void change_responseLost_isFoundAndNotFailed(CarrierChoice carrier) throws Exception {
    try (TcpProxy proxy = new TcpProxy(servers.port(carrier))) {
      store.afterChange = proxy::cut;
      for (List<String> command :
          List.of(
              List.of("rm", "a.csv"), List.of("mv", "b.csv", "moved"), List.of("mkdir", "made"))) {
        Outcome outcome = run(proxy.port(), carrier, command.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      }
    }
    assertThat(TestFiles.tree(root))
        .containsExactly("dir/", "dir/c.csv", "empty/", "made/", "moved");
  }
}
