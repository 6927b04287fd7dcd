package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.CommandLines;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.core.Background;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands cp and check, between two servers and this machine. */
@Timeout(300)
final class TwoServersTest {
  /** More than waits between the two connections. */
  private static final int BYTES = 9_000_000;

  /** More than a tree may have, and in a thorough run more than a thread's stack has room for. */
  private static final int DEEP = Round.times(450, 1_500);

  @TempDir Path one;
  @TempDir Path other;
  @TempDir Path secrets;
  private Servers first;
  private Servers second;

  @BeforeEach
  void start() throws Exception {
    first = Servers.start(one);
    second = Servers.start(other);
    TestFiles.write(one.resolve("tree/sub/a.csv"), new byte[100]);
    TestFiles.write(one.resolve("tree/sub/empty"), new byte[0]);
  }

  /** Adds a file of several messages to the tree. */
  private Path big() throws IOException {
    Path big = TestFiles.write(one.resolve("tree/big"), TestFiles.incompressible(BYTES, 1));
    return Files.setLastModifiedTime(big, FileTime.from(Instant.parse("2020-01-02T03:04:05Z")));
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  private static String address(Servers servers, CarrierChoice carrier, String path) {
    return carrier == CarrierChoice.GRPC
        ? "ferry://" + servers.address(carrier) + "/" + path
        : "http://" + servers.address(carrier) + "/files/" + path;
  }

  static Stream<Arguments> carriers() {
    return Stream.of(
            Arguments.of(CarrierChoice.GRPC, CarrierChoice.HTTP),
            Arguments.of(CarrierChoice.HTTP, CarrierChoice.GRPC),
            Arguments.of(CarrierChoice.GRPC, CarrierChoice.GRPC),
            Arguments.of(CarrierChoice.HTTP, CarrierChoice.HTTP))
        .limit(Round.times(2, 4));
  }

  @ParameterizedTest
  @MethodSource("carriers")
  void cp_aTree_isEqualThereByCheck(CarrierChoice from, CarrierChoice to) throws Exception {
    String source = address(first, from, "tree");
    String target = address(second, to, "copy/tree");
    TestFiles.permit(big(), "rw-------");
    TestFiles.permit(one.resolve("tree/sub"), "rwx------");
    Outcome cp = Outcome.of("cp", "-r", source, target);
    assertThat(cp.exitCode()).as(cp.err()).isZero();
    assertThat(TestFiles.permissions(other.resolve("copy/tree/big"))).isEqualTo("rw-------");
    assertThat(TestFiles.permissions(other.resolve("copy/tree/sub"))).isEqualTo("rwx------");
    assertThat(cp.out()).startsWith("tree/ -> copy/tree/: 3 files, 9.0 MB in ");
    assertThat(Files.mismatch(one.resolve("tree/big"), other.resolve("copy/tree/big")))
        .isEqualTo(-1);
    assertThat(
            Files.getLastModifiedTime(other.resolve("copy/tree/big")).toInstant().getEpochSecond())
        .isEqualTo(Instant.parse("2020-01-02T03:04:05Z").getEpochSecond());
    assertThat(Outcome.of("cp", "-r", source, target).out()).contains("; 3 unchanged, 0 left");
    Outcome check = Outcome.of("check", source, target);
    assertThat(check).isEqualTo(new Outcome(0, "tree/ and copy/tree/: 3 equal, 0 different\n", ""));
    assertThat(Outcome.of("check", source, other.resolve("copy/tree") + "").exitCode()).isZero();
    assertThat(Outcome.of("check", one.resolve("tree") + "", target).exitCode()).isZero();

    TestFiles.write(one.resolve("tree/sub/deep/b.csv"), new byte[1]);
    Files.delete(other.resolve("copy/tree/big"));
    Files.move(other.resolve("copy/tree/sub"), secrets.resolve("moved"));
    Files.writeString(other.resolve("copy/tree/sub"), "file");
    assertThat(Outcome.of("cp", "-qr", "--force", source, target))
        .isEqualTo(
            new Outcome(
                10,
                "",
                "ferry cp: copy/tree/sub: is a file, and a folder in the source;"
                    + " move one of them away\n"));
    assertThat(TestFiles.tree(other))
        .containsExactly("copy/", "copy/tree/", "copy/tree/big", "copy/tree/sub");
  }

  /** Before each command, the server remembers the digest of other bytes. */
  @ParameterizedTest
  @EnumSource
  void commands_fileThatHasChangedWithoutATrace_readIt(CarrierChoice carrier, @TempDir Path local)
      throws Exception {
    byte[] bytes = TestFiles.random(200_000, 1);
    Path mine = TestFiles.write(local.resolve("f"), bytes);
    Path stored = TestFiles.write(one.resolve("d/f"), bytes);
    TestFiles.write(other.resolve("f"), bytes);
    List<Action<Exception>> changes = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      changes.add(TestFiles.unseenChange(stored, TestFiles.random(200_000, 2 + i)));
    }
    String folder = address(first, carrier, "d");
    String there = folder + "/f";
    String copy = address(second, carrier, "f");
    assertThat(Outcome.of("check", local + "", folder).exitCode()).isZero();

    changes.get(0).run();
    assertThat(Outcome.of("check", local + "", folder).exitCode()).isEqualTo(11);
    changes.get(1).run();
    assertThat(Outcome.of("sync", local + "", folder, "--compare-checksums", "--dry-run").out())
        .contains(": 1 copied, ");
    changes.get(2).run();
    assertThat(Outcome.of("put", mine + "", there).exitCode()).isEqualTo(4);
    changes.get(3).run();
    assertThat(Outcome.of("get", there, mine + "").exitCode()).isEqualTo(4);
    changes.get(4).run();
    assertThat(Outcome.of("cp", there, copy).exitCode()).isEqualTo(4);
    changes.get(5).run();
    assertThat(Outcome.of("cp", "--force", there, copy).exitCode()).isZero();
    assertThat(other.resolve("f")).binaryContent().isEqualTo(Files.readAllBytes(stored));
    changes.get(6).run();
    assertThat(Outcome.of("get", "--force", there, mine + "").exitCode()).isZero();
    assertThat(mine).binaryContent().isEqualTo(Files.readAllBytes(stored));
    changes.get(7).run();
    Outcome tree = Outcome.of("get", "-r", folder, local.resolve("tree") + "");
    assertThat(tree.exitCode()).as(tree.err()).isZero();
    assertThat(Outcome.of("stat", "--digest", there).out()).contains(Sha256.ofFile(stored) + "");
    changes.get(8).run();
    assertThat(Outcome.of("stat", "--digest", there).out()).contains(Sha256.ofFile(stored) + "");
  }

  @Test
  void cp_singleFilesAndPatterns_areNamedAsToldAndReplacedByForce() throws Exception {
    String source = address(first, CarrierChoice.GRPC, "tree/sub/a.csv");
    String target = address(second, CarrierChoice.HTTP, "");
    assertThat(Outcome.of("cp", source, target + "b.csv").exitCode()).isZero();
    assertThat(Outcome.of("cp", source, target).exitCode()).isZero();
    String all = address(first, CarrierChoice.GRPC, "tree/*/*");
    assertThat(Outcome.of("cp", all, target + "all", "--parents").exitCode()).isZero();
    assertThat(TestFiles.tree(other))
        .containsExactly("a.csv", "all/", "all/a.csv", "all/empty", "b.csv");

    TestFiles.write(one.resolve("tree/twin/a.csv"), new byte[1]);
    Outcome twins = Outcome.of("cp", "--force", all + ".csv", target + "all");
    assertThat(twins.exitCode()).isEqualTo(2);
    assertThat(twins.err()).contains("tree/sub/a.csv and tree/twin/a.csv: have the same name");

    Files.writeString(other.resolve("b.csv"), "different");
    Outcome refused = Outcome.of("cp", source, target + "b.csv");
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(refused.err()).contains("b.csv: already exists; --force replaces it");
    assertThat(Outcome.of("cp", "--force", source, target + "b.csv").exitCode()).isZero();
    assertThat(other.resolve("b.csv")).binaryContent().isEqualTo(new byte[100]);
    Path outside = Files.writeString(secrets.resolve("outside"), "secret");
    Files.createSymbolicLink(other.resolve("link.csv"), outside);
    String link = address(second, CarrierChoice.GRPC, "link.csv");
    assertThat(Outcome.of("cp", source, link).exitCode()).isEqualTo(4);
    assertThat(Outcome.of("cp", "--force", source, link).exitCode()).isZero();
    assertThat(other.resolve("link.csv")).binaryContent().isEqualTo(new byte[100]);
    assertThat(outside).hasContent("secret");
    assertThat(Outcome.of("cp", address(first, CarrierChoice.GRPC, "tree"), target).err())
        .contains("tree: is a folder; add -r to copy");
    assertThat(Outcome.of("cp", "a", target).err()).contains("SOURCE and TARGET are addresses");
    Outcome missing = Outcome.of("cp", source + "x", target);
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.err()).containsOnlyOnce("'ferry ls' shows what the server has");
  }

  @Test
  void cp_nameOfAFolder_putsTheFileIntoIt() throws Exception {
    Files.createDirectory(other.resolve("in"));
    String source = address(first, CarrierChoice.GRPC, "tree/sub/a.csv");
    Outcome cp = Outcome.of("cp", source, address(second, CarrierChoice.HTTP, "in"));
    assertThat(cp.exitCode()).as(cp.err()).isZero();
    assertThat(TestFiles.tree(other)).containsExactly("in/", "in/a.csv");

    // It was not named that the file goes into these.
    Files.createDirectories(other.resolve("new/a.csv"));
    for (String[] copy :
        new String[][] {
          {source, address(second, CarrierChoice.HTTP, "new/")},
          {
            address(first, CarrierChoice.GRPC, "tree/sub/*.csv"),
            address(second, CarrierChoice.HTTP, "new")
          }
        }) {
      Outcome refused = Outcome.of("cp", copy[0], copy[1]);
      assertThat(refused.exitCode()).as(refused.out()).isEqualTo(4);
      assertThat(refused.err()).contains("new/a.csv: is a folder; name a file in it");
    }
    assertThat(other.resolve("new/a.csv")).isEmptyDirectory();
  }

  @Test
  void cp_withTlsForBoth_isNotInPlainTextToTheSecond() throws Exception {
    Outcome cp =
        Outcome.of(
            "cp",
            address(first, CarrierChoice.HTTP, "tree/sub/a.csv").replace("http:", "https:"),
            address(second, CarrierChoice.HTTP, "a.csv"),
            "--tls");
    assertThat(cp.exitCode()).isEqualTo(2);
    assertThat(cp.err()).contains("--tls: write https:// in http://");
    assertThat(other).isEmptyDirectory();
  }

  @Test
  void token_ofTheFirstServer_goesToNoOther() throws Exception {
    Path callers = secrets.resolve("callers");
    Path token = secrets.resolve("token");
    Files.writeString(token, CallersFile.addToken(callers, "alice", List.of("all:/")));
    ServerSettings settings = ServerSettings.defaults().withCallers(CallersFile.open(callers));
    Map<String, String> variable = Map.of("FERRY_TOKEN", Files.readString(token));
    try (Servers from = Servers.start(LocalFileStore.open(one), settings);
        Servers to = Servers.start(LocalFileStore.open(other), settings)) {
      String source = address(from, CarrierChoice.HTTP, "tree/sub/a.csv");
      String same = address(from, CarrierChoice.HTTP, "a.csv");
      String otherPort = address(to, CarrierChoice.HTTP, "a.csv");
      String otherHost = otherPort.replace(Servers.HOST, "localhost");

      assertThat(Outcome.of("cp", source, same, "--token-file", token + "").exitCode()).isZero();
      String option = "--target-token-file";
      List<Outcome> outcomes =
          CommandLines.run(
              secrets,
              List.of(),
              List.of(
                  List.of("cp", source, same),
                  List.of("cp", source, otherPort),
                  List.of("cp", source, otherHost),
                  List.of("cp", source, otherHost, option, token + "x"),
                  List.of("cp", source, otherHost, option, token + "")),
              variable);
      assertThat(outcomes.get(0).exitCode()).as("unchanged: %s", outcomes.get(0)).isZero();
      for (Outcome foreign : outcomes.subList(1, 3)) {
        assertThat(foreign.exitCode()).isEqualTo(5);
        assertThat(foreign.err()).contains("give your token with --target-token-file");
      }
      assertThat(outcomes.get(3).err()).contains("ferry cp: --target-token-file: " + token + "x: ");
      assertThat(outcomes.get(4).exitCode()).as("%s", outcomes.get(4)).isZero();
      String[] check = {
        "check",
        source.replace("/a.csv", ""),
        otherHost.replace("/a.csv", "/"),
        "--token-file",
        token + ""
      };
      assertThat(Outcome.of(check).exitCode()).isEqualTo(5);
      assertThat(
              Outcome.of(
                      check[0],
                      check[1],
                      check[2],
                      check[3],
                      check[4],
                      "--target-token-file",
                      check[4])
                  .exitCode())
          .isEqualTo(11);
    }
  }

  @Test
  void cp_sourceThatIsLostOnTheWay_beginsAgainAndLeavesNothingElse() throws Exception {
    Path big = big();
    try (TcpProxy proxy = new TcpProxy(first.port(CarrierChoice.GRPC))) {
      proxy.holdAfter(BYTES / 2);
      String source = "ferry://" + proxy.address() + "/tree/big";
      String target = address(second, CarrierChoice.GRPC, "big");
      Background<Outcome> cp = Background.start(() -> Outcome.of("cp", source, target));
      proxy.awaitHeld();
      proxy.cut();
      proxy.release();
      assertThat(cp.result().exitCode()).as(cp.result().err()).isZero();
    }
    assertThat(Files.mismatch(big, other.resolve("big"))).isEqualTo(-1);
    assertThat(TestFiles.tree(other)).containsExactly("big");
  }

  @Test
  void check_ofDifferentFolders_namesEachDifferenceAndExitsWith11() throws Exception {
    TestFiles.write(other.resolve("tree/sub/a.csv"), new byte[101]);
    TestFiles.write(other.resolve("tree/sub/empty/now"), new byte[1]);
    TestFiles.write(other.resolve("tree/more/x"), new byte[1]);
    byte[] changed = Files.readAllBytes(big());
    changed[BYTES / 2]++;
    TestFiles.write(other.resolve("tree/big"), changed);
    TestFiles.write(one.resolve("tree/mine"), new byte[1]);
    String[] check = {
      "check", address(first, CarrierChoice.HTTP, "tree"), other.resolve("tree").toString()
    };
    Outcome outcome = Outcome.of(check);
    assertThat(outcome.exitCode()).isEqualTo(11);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .contains("mine: only in tree/\n", "more/: only in " + other.resolve("tree") + "/\n")
        .contains("sub/a.csv: has 100 bytes, and 101 in B\n")
        .contains("sub/empty: is a file, and a folder in B\n")
        .containsPattern("big: differs, \\p{XDigit}{8} and \\p{XDigit}{8} in B\n")
        .contains(": 0 equal, 5 different\n");
    assertThat(Outcome.of("check", check[1], check[2], "--size-only").out())
        .contains(": 1 equal, 4 different\n")
        .doesNotContain("big");
    assertThat(Outcome.of("check", check[1], check[2], "--include=b*", "--exclude=sub").exitCode())
        .isEqualTo(11);
    assertThat(Outcome.of("check", check[1], check[2], "--json").out())
        .contains("{\"action\":\"differs\",\"path\":\"mine\",\"reason\":\"only-in-a\"}\n");
    assertThat(Outcome.of("check", check[1], one.resolve("no") + "").exitCode()).isEqualTo(3);
    String alike = address(second, CarrierChoice.HTTP, "tree");
    assertThat(Outcome.of("check", check[1], alike).out())
        .contains("mine: only in " + check[1] + "\n", "more/: only in " + alike + "\n");
  }

  @ParameterizedTest
  @CsvSource({"tree, tree/sub/copy", "'', copy", "tr*, tree"})
  void cp_aTreeIntoItself_isRefused(String from, String into) throws Exception {
    List<String> before = TestFiles.tree(one);
    String source = address(first, CarrierChoice.HTTP, from);
    Outcome cp = Outcome.of("cp", "-r", source, address(first, CarrierChoice.HTTP, into));
    assertThat(cp.exitCode()).isEqualTo(1);
    assertThat(cp.err()).contains("which cannot be copied into itself; choose").hasLineCount(1);
    assertThat(TestFiles.tree(one)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void cp_targetThatIsOverloadedOnce_isTriedAgain(CarrierChoice carrier) throws Exception {
    AtomicBoolean refused = new AtomicBoolean();
    FileStore busy =
        new ForwardingStore(LocalFileStore.open(secrets)) {
          @Override
          public FileSink create(StorePath path, CreateOptions options) throws FerryException {
            if (refused.compareAndSet(false, true)) {
              throw new FerryException(ErrorKind.OVERLOADED, path + ": too many at once");
            }
            return super.create(path, options);
          }
        };
    try (Servers servers = Servers.start(busy)) {
      String source = address(first, carrier, "tree/sub/a.csv");
      Outcome cp = Outcome.of("cp", source, address(servers, carrier, "a.csv"));
      assertThat(cp.exitCode()).as(cp.err()).isZero();
      assertThat(cp.err()).contains("a.csv: too many at once; retrying in ").hasLineCount(1);
      assertThat(secrets.resolve("a.csv")).binaryContent().isEqualTo(new byte[100]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cp_aTreeWithAFileThatIsReplacedMeanwhile_copiesTheOthers(CarrierChoice carrier)
      throws Exception {
    Path big = big();
    AtomicBoolean replaced = new AtomicBoolean();
    FileStore busy =
        new ForwardingStore(LocalFileStore.open(one)) {
          @Override
          public FileSource open(StorePath path) throws FerryException {
            if (path.name().equals("a.csv") && replaced.compareAndSet(false, true)) {
              try {
                TestFiles.write(one.resolve(path.value()), new byte[200]);
              } catch (IOException e) {
                throw FerryException.of(e, path.value());
              }
            }
            return super.open(path);
          }
        };
    try (Servers servers = Servers.start(busy)) {
      String source = address(servers, carrier, "tree");
      String target = address(second, carrier, "tree");
      Outcome cp = Outcome.of("cp", "-r", "--checksum=none", source, target);
      assertThat(cp.err()).contains("a.csv: ").hasLineCount(1);
      assertThat(cp.exitCode()).isEqualTo(10);
      assertThat(TestFiles.tree(other)).contains("tree/sub/empty");
      assertThat(Files.mismatch(big, other.resolve("tree/big"))).isEqualTo(-1);
    }
  }

  @Test
  void check_foldersThatAreTooDeep_areNamed() throws Exception {
    for (Path tree : List.of(one.resolve("deep"), other.resolve("deep"))) {
      Files.createDirectories(tree.resolve("d/".repeat(DEEP)));
      TestFiles.write(tree.resolve("z"), new byte[1]);
    }
    Outcome check = Outcome.of("check", one.resolve("deep") + "", other.resolve("deep") + "");
    assertThat(check.exitCode()).isEqualTo(10);
    assertThat(check.err())
        .contains("/d: is over 400 folders deep; copy it separately")
        .hasLineCount(1);
    assertThat(check.out()).contains(": 1 equal, 0 different, 1 failed");
    deleteDeep(one.resolve("deep"));
    deleteDeep(other.resolve("deep"));
  }

  /** JUnit resolves the real path of each folder, which takes a minute for so deep a tree. */
  private static void deleteDeep(Path tree) throws IOException {
    for (int depth = DEEP; depth > 0; depth--) {
      Files.delete(tree.resolve("d/".repeat(depth)));
    }
  }
}
