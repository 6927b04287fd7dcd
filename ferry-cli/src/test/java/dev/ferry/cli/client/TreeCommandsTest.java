package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Listing;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.ServerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** get -r and put -r. */
@Timeout(300)
final class TreeCommandsTest {
  private static final List<String> NAMES =
      List.of("a.csv", "b.txt", "sub/c.csv", "sub/deep/d.csv", "sub/deep/ü e.txt");

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

  private static void fill(Path folder) throws Exception {
    for (String name : NAMES) {
      TestFiles.write(folder.resolve(name), name.getBytes(StandardCharsets.UTF_8));
    }
    Files.createDirectory(folder.resolve("empty"));
  }

  private Outcome run(CarrierChoice carrier, String... command) {
    return run(servers, carrier, command);
  }

  private static Outcome run(Servers servers, CarrierChoice carrier, String... command) {
    return Outcome.of(
        Stream.concat(
                Stream.of(command),
                Stream.of("--server=" + servers.address(carrier), "--carrier=" + carrier))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_aTree_bringItBackAndThenFindItUnchanged(CarrierChoice carrier) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    assertThat(source.resolve("a.csv").toFile().setExecutable(true)).isTrue();
    Map<String, String> narrow =
        Map.of("sub", "rwx------", "sub/deep", "rwxr-x--x", "sub/deep/d.csv", "rw-------");
    for (Map.Entry<String, String> each : narrow.entrySet()) {
      TestFiles.permit(source.resolve(each.getKey()), each.getValue());
    }
    Path back = local.resolve("back");
    for (String result :
        List.of("5 files, [0-9.]+ k?B in .*; 0 unchanged, 0", "0 files, .*; 5 unchanged, 0")) {
      Outcome put = run(carrier, "put", "-r", source.toString(), "in/tree");
      assertThat(put.err()).isEmpty();
      assertThat(put.out().strip()).matches(".*/source/ -> in/tree/: " + result + " left alone");
      Outcome get = run(carrier, "get", "-r", "in/tree", back.toString());
      assertThat(get.err()).isEmpty();
      assertThat(get.out().strip()).matches("in/tree/ -> .*/back/: " + result + " left alone");
    }
    assertThat(TestFiles.tree(root.resolve("in/tree"))).isEqualTo(TestFiles.tree(source));
    assertThat(TestFiles.tree(back)).isEqualTo(TestFiles.tree(source));
    for (String name : NAMES) {
      assertThat(back.resolve(name)).hasContent(name);
      assertThat(Files.isExecutable(back.resolve(name))).isEqualTo(name.equals("a.csv"));
    }
    for (String name : narrow.keySet()) {
      for (Path copy : List.of(root.resolve("in/tree"), back)) {
        assertThat(TestFiles.permissions(copy.resolve(name))).isEqualTo(narrow.get(name));
      }
    }
  }

  static Stream<Arguments> filters() {
    return Stream.of(
            Arguments.of("--include=*.csv", "a.csv sub/c.csv sub/deep/d.csv"),
            Arguments.of("--include=sub/* --include=b*", "b.txt sub/c.csv"),
            Arguments.of(
                "--exclude=/sub/deep --exclude=./a.csv --exclude=/c.csv", "b.txt sub/c.csv"),
            Arguments.of("--include=*.csv --exclude=deep", "a.csv sub/c.csv"),
            Arguments.of("--exclude=sub", "a.csv b.txt"),
            Arguments.of("--exclude=deep/", "a.csv b.txt sub/c.csv"),
            Arguments.of("--exclude=*.csv --exclude=sub/deep/*", "b.txt"))
        .limit(Round.times(3, 7));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void putAndGet_someFiles_copyThoseThatMatch(String options, String expected) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    Path back = local.resolve("back");
    String[] filter = options.split(" ");
    String[] put = {"put", "-r", source.toString(), "tree"};
    String[] get = {"get", "-r", "tree", back.toString(), "--jobs=1"};
    String[] all = {"put", "-r", source.toString(), "tree"};
    assertThat(run(CarrierChoice.GRPC, with(put, filter)).exitCode()).isZero();
    assertThat(files(root.resolve("tree"))).containsExactly(expected.split(" "));
    assertThat(run(CarrierChoice.GRPC, all).exitCode()).isZero();
    assertThat(run(CarrierChoice.GRPC, with(get, filter)).exitCode()).isZero();
    assertThat(files(back)).containsExactly(expected.split(" "));
  }

  private static String[] with(String[] command, String[] options) {
    return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
  }

  private static List<String> files(Path folder) throws Exception {
    return TestFiles.tree(folder).stream().filter(name -> !name.endsWith("/")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "put"})
  void tree_nameThatIsNoUtf8_isNamedUnlessItIsExcluded(String command) throws Exception {
    Path mine = local.resolve("tree");
    Path tree = command.equals("get") ? root.resolve("tree") : mine;
    TestFiles.write(tree.resolve("a"), new byte[1]);
    TestFiles.write(TestFiles.ofBytes(tree, "b\u00e9.txt"), new byte[1]);
    String[] copy =
        command.equals("get")
            ? new String[] {"get", "-r", "tree", mine.toString()}
            : new String[] {"put", "-r", mine.toString()};
    Outcome named = run(CarrierChoice.GRPC, copy);
    assertThat(named.err()).contains("tree/b\\xe9.txt: left out, ");
    assertThat(named.exitCode()).isEqualTo(10);
    for (String option : List.of("--exclude=b*", "--exclude=*.txt", "--include=a")) {
      Outcome excluded = run(CarrierChoice.GRPC, with(copy, new String[] {option}));
      assertThat(excluded.err()).isEmpty();
      assertThat(excluded.exitCode()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--force", "--no-clobber", "--quiet"})
  void get_ontoAPipe_isRefusedWithoutAdviceToForceIt(String option) throws Exception {
    TestFiles.write(root.resolve("a"), new byte[1]);
    Path pipe = local.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Outcome outcome = run(CarrierChoice.GRPC, "get", option, "a", pipe.toString());
    assertThat(outcome.err())
        .contains("pipe: is a device, a named pipe or a socket, which no file replaces; choose")
        .doesNotContain("--force");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(Files.isRegularFile(pipe)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "put"})
  void tree_withADifferentFile_leavesItUnlessTold(String command) throws Exception {
    Path mine = local.resolve("tree");
    fill(mine);
    fill(root.resolve("tree"));
    Path different = (command.equals("get") ? mine : root.resolve("tree")).resolve("sub/c.csv");
    Files.writeString(different, "different");
    String[] copy =
        command.equals("get")
            ? new String[] {"get", "-r", "tree", mine.toString()}
            : new String[] {"put", "-r", mine.toString()};
    Outcome refused = run(CarrierChoice.GRPC, copy);
    assertThat(refused.err()).contains("sub/c.csv: already exists; --force replaces it");
    assertThat(refused.exitCode()).isEqualTo(10);
    assertThat(refused.out()).contains("; 4 unchanged, 0 left alone, 1 failed");
    assertThat(different).hasContent("different");
    Outcome skipped = run(CarrierChoice.GRPC, with(copy, new String[] {"--no-clobber"}));
    assertThat(skipped.out()).contains("0 files, ", "; 0 unchanged, 5 left alone");
    assertThat(different).hasContent("different");
    assertThat(run(CarrierChoice.GRPC, with(copy, new String[] {"--force"})).exitCode()).isZero();
    assertThat(different).hasContent("sub/c.csv");
  }

  @Test
  void put_aNewTreeOverGrpc_isOneRequestForEachName() throws Exception {
    Path source = local.resolve("source");
    fill(source);
    List<Operation> requests = requests(CarrierChoice.GRPC, "put", "-r", source.toString());
    assertThat(requests).filteredOn(Operation.UPLOAD::equals).hasSameSizeAs(NAMES);
    assertThat(requests).containsOnly(Operation.UPLOAD, Operation.MAKE_DIRECTORY);
    assertMakesOnlyWhatHasNoFile(requests);
  }

  private static void assertMakesOnlyWhatHasNoFile(List<Operation> requests) {
    assertThat(requests)
        .filteredOn(Operation.MAKE_DIRECTORY::equals)
        .as("source/ and source/empty/")
        .hasSize(2);
  }

  /** Runs a command against a server that counts. Returns its requests. */
  private List<Operation> requests(CarrierChoice carrier, String... command) throws Exception {
    Queue<Operation> requests = new ConcurrentLinkedQueue<>();
    RequestListener listener =
        new RequestListener() {
          @Override
          public void began(ServedRequest request) {
            requests.add(request.operation());
          }

          @Override
          public void ended(EndedRequest request) {}
        };
    ServerSettings settings = ServerSettings.defaults().withListener(listener);
    try (Servers counted = Servers.start(LocalFileStore.open(root), settings)) {
      String[] words = command;
      if (command[0].equals("sync")) {
        words = command.clone();
        words[2] =
            (carrier == CarrierChoice.GRPC ? "ferry://" : "http://")
                + counted.address(carrier)
                + (carrier == CarrierChoice.GRPC ? "/" : "/files/")
                + command[2];
        assertThat(Outcome.of(words).exitCode()).isZero();
      } else {
        assertThat(run(counted, carrier, words).exitCode()).isZero();
      }
    }
    return List.copyOf(requests);
  }

  @Test
  void getAndPut_overHttp_areOneRequestForEachName() throws Exception {
    Path source = local.resolve("source");
    fill(source);
    List<Operation> put = requests(CarrierChoice.HTTP, "put", "-r", source.toString());
    assertThat(put).filteredOn(Operation.UPLOAD::equals).hasSameSizeAs(NAMES);
    assertThat(put).containsOnly(Operation.STAT, Operation.UPLOAD, Operation.MAKE_DIRECTORY);
    assertThat(put).containsOnlyOnce(Operation.STAT);
    assertMakesOnlyWhatHasNoFile(put);

    String back = local.resolve("back").toString();
    List<Operation> get = requests(CarrierChoice.HTTP, "get", "-r", "source", back);
    assertThat(get).filteredOn(Operation.DOWNLOAD::equals).hasSameSizeAs(NAMES);
    assertThat(get).containsOnly(Operation.LIST, Operation.STAT, Operation.DOWNLOAD);
    assertThat(get).as("the permissions of source/").containsOnlyOnce(Operation.STAT);
    assertThat(get).containsOnlyOnce(Operation.LIST);
    assertThat(requests(CarrierChoice.HTTP, "get", "-r", "source", back))
        .doesNotContain(Operation.DOWNLOAD);
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void sync_withNothingToDo_isOneRequest(CarrierChoice carrier) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    assertThat(requests(carrier, "sync", source.toString(), "tree"))
        .filteredOn(Operation.LIST::equals)
        .hasSize(1);
    assertThat(requests(carrier, "sync", source.toString(), "tree"))
        .containsExactly(Operation.LIST);
  }

  @Test
  void put_linksAndLeftovers_leavesThemOutAndSaysSo() throws Exception {
    Path source = Files.createDirectory(local.resolve("source"));
    Files.writeString(source.resolve("file"), "file");
    Files.writeString(source.resolve(".ferry-1-1-0123456789abcdef.part"), "part");
    Files.createSymbolicLink(source.resolve("link"), Path.of("file"));
    Files.createSymbolicLink(source.resolve("loop"), source);
    Outcome put = run(CarrierChoice.GRPC, "put", "-r", source.toString());
    assertThat(put.err().strip())
        .isEqualTo(
            "ferry put: "
                + source.resolve("loop")
                + ": left out, it is a symbolic link to no file");
    assertThat(TestFiles.tree(root)).containsExactly("source/", "source/file", "source/link");
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_links_makesThoseThatStayInTheTree(CarrierChoice carrier) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    Files.createSymbolicLink(source.resolve("sub/file"), Path.of("../a.csv"));
    Files.createSymbolicLink(source.resolve("folder"), Path.of("sub/deep"));
    Files.createSymbolicLink(source.resolve("none"), Path.of("no/such/file"));
    Files.createSymbolicLink(source.resolve("out"), Path.of("../back"));
    Files.createSymbolicLink(source.resolve("whole"), source.resolve("a.csv"));
    Outcome put = run(carrier, "put", "-r", "--links", source.toString(), "in/tree");
    assertLeftOut(put, source + "/out", source + "/whole");
    Files.createSymbolicLink(root.resolve("in/tree/out"), Path.of("../other"));
    Path back = local.resolve("back");
    for (int i = 0; i < 2; i++) {
      Outcome get = run(carrier, "get", "-r", "--links", "in/tree", back.toString());
      assertLeftOut(get, "in/tree/out");
      for (Path copy : List.of(root.resolve("in/tree"), back)) {
        for (String link : List.of("sub/file", "folder", "none")) {
          assertThat(Files.readSymbolicLink(copy.resolve(link)))
              .isEqualTo(Files.readSymbolicLink(source.resolve(link)));
        }
        assertThat(copy.resolve("whole")).doesNotExist();
      }
    }
    Files.delete(back.resolve("folder"));
    Files.createSymbolicLink(back.resolve("folder"), Path.of("sub"));
    Outcome kept = run(carrier, "get", "-r", "--links", "in/tree", back.toString());
    assertThat(kept.err()).contains(back.resolve("folder") + ": already exists");
    Outcome forced = run(carrier, "get", "-r", "--links", "-f", "in/tree", back.toString());
    assertLeftOut(forced, "in/tree/out");
    assertThat(Files.readSymbolicLink(back.resolve("folder"))).isEqualTo(Path.of("sub/deep"));
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void get_linksToFoldersOfTheTree_namesThemAndCopiesEachFileOnce(CarrierChoice carrier)
      throws Exception {
    fill(root.resolve("tree"));
    Files.createSymbolicLink(root.resolve("tree/again"), Path.of("sub"));
    Path back = local.resolve("back");
    Outcome get = run(carrier, "get", "-r", "tree", back.toString());
    String reason = FileFacts.LeftOut.TREE.reason();
    assertThat(get.err().strip()).isEqualTo("ferry get: tree/again: left out, " + reason);
    assertThat(get.exitCode()).isEqualTo(FailureCode.NOT_ALL.code());
    assertThat(files(back)).containsExactlyElementsOf(NAMES);
    assertThat(run(carrier, "ls", "-R", "tree").out())
        .contains("tree/again  (" + reason + ")\n", "tree/sub/deep/d.csv\n")
        .doesNotContain("tree/again/");
  }

  private static void assertLeftOut(Outcome outcome, String... names) {
    assertThat(outcome.err().lines())
        .hasSize(names.length)
        .allMatch(line -> line.contains(": left out, it is a symbolic link whose target is not"));
    assertThat(outcome.err()).contains(names);
    assertThat(outcome.exitCode()).isEqualTo(FailureCode.NOT_ALL.code());
  }

  @Test
  void get_ontoALinkToAFolder_isRefused() throws Exception {
    fill(root.resolve("tree"));
    Path outside = Files.createDirectory(local.resolve("outside"));
    Path target = Files.createDirectory(local.resolve("target"));
    Files.createSymbolicLink(target.resolve("sub"), outside);
    Outcome get = run(CarrierChoice.GRPC, "get", "-r", "tree", target.toString());
    assertThat(get.err()).contains(target.resolve("sub") + ": is a symbolic link");
    assertThat(get.exitCode()).isNotZero();
    assertThat(outside).isEmptyDirectory();
  }

  /** A store that lists other names than it has. */
  private static final class LyingStore extends ForwardingStore {
    private final List<String> names;

    LyingStore(Path root, List<String> names) throws FerryException {
      super(LocalFileStore.open(root));
      this.names = names;
    }

    @Override
    public Listing list(StorePath directory) {
      List<String> left = new ArrayList<>(names);
      return new Listing() {
        @Override
        public @Nullable FileFacts next() {
          return left.isEmpty()
              ? null
              : new FileFacts(left.remove(0), 1, Instant.EPOCH, false, null);
        }

        @Override
        public void close() {}
      };
    }
  }

  /** A store that does not list, give or take one path. */
  private static final class FailingStore extends ForwardingStore {
    private final String path;
    private final ErrorKind kind;

    FailingStore(Path root, String path, ErrorKind kind) throws FerryException {
      super(LocalFileStore.open(root));
      this.path = path;
      this.kind = kind;
    }

    private void check(StorePath wanted) throws FerryException {
      if (wanted.value().equals(path)) {
        throw new FerryException(kind, path + ": is in trouble");
      }
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      check(directory);
      return super.list(directory);
    }

    @Override
    public FileSource open(StorePath file) throws FerryException {
      check(file);
      return super.open(file);
    }

    @Override
    public FileSink create(StorePath file, CreateOptions options) throws FerryException {
      check(file);
      return super.create(file, options);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCKED", "DIGEST_MISMATCH", "INCOMPLETE"})
  void putAndGet_failureOfOneFile_namesItAndCopiesTheRest(ErrorKind kind) throws Exception {
    List<String> rest = NAMES.stream().filter(name -> !name.equals("b.txt")).toList();
    Path source = local.resolve("source");
    fill(source);
    Path back = local.resolve("back");
    try (Servers failing = Servers.start(new FailingStore(root, "tree/b.txt", kind))) {
      Outcome put = run(failing, CarrierChoice.HTTP, "put", "-r", source.toString(), "tree");
      assertThat(put.err()).contains("tree/b.txt: is in trouble").hasLineCount(1);
      assertThat(put.exitCode()).isEqualTo(10);
      assertThat(files(root.resolve("tree"))).containsExactlyElementsOf(rest);

      Files.createFile(root.resolve("tree/b.txt"));
      Outcome get = run(failing, CarrierChoice.GRPC, "get", "-r", "tree", back.toString());
      assertThat(get.err()).contains("tree/b.txt: is in trouble").hasLineCount(1);
      assertThat(get.exitCode()).isEqualTo(10);
      assertThat(files(back)).containsExactlyElementsOf(rest);
    }
  }

  @ParameterizedTest
  @EnumSource
  void putAndCheck_fileThatTheSystemDoesNotRead_nameItAndDoTheRest(CarrierChoice carrier)
      throws Exception {
    // A regular file of a page, which a device without a speed does not give.
    Path unreadable = Path.of("/sys/class/net/lo/speed");
    assumeTrue(Files.isRegularFile(unreadable), "there is no " + unreadable);
    Path source = local.resolve("source");
    fill(source);
    Files.createSymbolicLink(source.resolve("b.bad"), unreadable);
    Outcome put = run(carrier, "put", "-r", source.toString(), "tree");
    assertThat(put.err()).contains("b.bad: ").doesNotContain("server").hasLineCount(1);
    assertThat(put.exitCode()).isEqualTo(10);
    assertThat(files(root.resolve("tree"))).containsExactlyElementsOf(NAMES);

    TestFiles.write(root.resolve("tree/b.bad"), new byte[(int) Files.size(unreadable)]);
    String scheme = carrier == CarrierChoice.GRPC ? "ferry://%s/tree" : "http://%s/files/tree";
    Outcome check =
        Outcome.of("check", source.toString(), scheme.formatted(servers.address(carrier)));
    assertThat(check.err()).contains("b.bad: ").hasLineCount(1);
    assertThat(check.out()).contains(": 5 equal, 0 different");
    assertThat(check.exitCode()).isEqualTo(10);
  }

  @ParameterizedTest
  @EnumSource
  void get_smallFileThatTheServerCancels_fails(CarrierChoice carrier) throws Exception {
    fill(root.resolve("tree"));
    FailingStore store = new FailingStore(root, "tree/b.txt", ErrorKind.CANCELLED);
    try (Servers failing = Servers.start(store)) {
      Outcome get = run(failing, carrier, "get", "-r", "tree", local.resolve("back").toString());
      assertThat(get.exitCode()).as(get.out()).isEqualTo(1);
      assertThat(get.err()).contains("tree/b.txt: is in trouble").hasLineCount(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ls_treeWithAFolderThatCannotBeListed_namesItAndListsTheRest(CarrierChoice carrier)
      throws Exception {
    fill(root.resolve("tree"));
    FailingStore store = new FailingStore(root, "tree/empty", ErrorKind.PERMISSION_DENIED);
    try (Servers failing = Servers.start(store)) {
      Outcome ls = run(failing, carrier, "ls", "-R", "tree");
      assertThat(ls.out()).contains(" tree/empty/", " tree/sub/deep/d.csv");
      assertThat(ls.err()).contains("tree/empty: is in trouble").hasLineCount(1);
      assertThat(ls.exitCode()).isEqualTo(10);
      assertThat(run(failing, carrier, "ls", "-R", "tree/empty").exitCode()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dir/../../escaped", "../escaped", "/tmp/escaped", "other/f", "dir/sub/f", "dir"})
  void get_nameThatLeadsElsewhere_isRefused(String name) throws Exception {
    Path target = local.resolve("in/target");
    try (Servers lying = Servers.start(new LyingStore(root, List.of(name)))) {
      for (CarrierChoice carrier : new CarrierChoice[] {CarrierChoice.GRPC, CarrierChoice.HTTP}) {
        Outcome get = run(lying, carrier, "get", "-r", "dir", target.toString());
        assertThat(get.exitCode()).as(get.out()).isNotZero();
        assertThat(get.err()).hasLineCount(1);
      }
    }
    assertThat(TestFiles.tree(local)).containsExactly("in/", "in/target/");
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void putAndGet_severalNames_goIntoTheFolderThatIsLast(CarrierChoice carrier) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    Files.createDirectory(root.resolve("in"));
    String[] put = {
      "put", source + "/a.csv", source + "/b.txt", source + "/sub", "in/", "--checksum=crc32c"
    };
    Outcome some = run(carrier, put);
    assertThat(some.exitCode()).isEqualTo(10);
    assertThat(some.err()).contains("sub: is a folder; add -r").hasLineCount(1);
    assertThat(files(root.resolve("in"))).containsExactly("a.csv", "b.txt");
    assertThat(run(carrier, with(put, new String[] {"-r"})).exitCode()).isZero();
    assertThat(files(root.resolve("in"))).containsExactlyElementsOf(NAMES);

    Path back = local.resolve("back");
    String[] get = {"get", "/in/?.*", "in/sub", back.toString(), "--parents"};
    Outcome got = run(carrier, get);
    assertThat(got.exitCode()).isEqualTo(10);
    assertThat(got.err()).contains("in/sub: is a folder; add -r").hasLineCount(1);
    assertThat(files(back)).containsExactly("a.csv", "b.txt");
    assertThat(run(carrier, with(get, new String[] {"-r"})).exitCode()).isZero();
    assertThat(files(back)).containsExactlyElementsOf(NAMES);
  }

  @ParameterizedTest
  @EnumSource
  void put_severalIntoNoFolder_saysSoOnce(CarrierChoice carrier) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    Files.writeString(root.resolve("file"), "old");
    String[] put = {"put", source + "/a.csv", source + "/b.txt", source + "/sub", "new/er/"};
    for (String[] command : List.of(put, with(put, new String[] {"-r"}))) {
      Outcome missing = run(carrier, command);
      assertThat(missing.err())
          .isEqualTo("ferry put: new: no such folder; --parents makes it" + System.lineSeparator());
      assertThat(missing.exitCode()).isEqualTo(3);
    }
    Outcome file = run(carrier, "put", source + "/a.csv", source + "/b.txt", "file");
    assertThat(file.err()).contains("file: is a file, not a folder").hasLineCount(1);
    assertThat(file.exitCode()).isEqualTo(4);
    assertThat(TestFiles.tree(root)).containsExactly("file");

    String[] folders = {"put", "-r", source + "/sub", source + "/empty", "new/er/"};
    assertThat(run(carrier, folders).exitCode()).isZero();
    assertThat(files(root.resolve("new/er")))
        .containsExactly("sub/c.csv", "sub/deep/d.csv", "sub/deep/ü e.txt");
    assertThat(run(carrier, with(put, new String[] {"-r", "--parents"})).exitCode()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_times_areKeptUnlessTold(CarrierChoice carrier) throws Exception {
    Path source = local.resolve("source");
    fill(source);
    Instant time = Instant.parse("2020-01-02T03:04:05.678Z");
    for (String name : NAMES) {
      Files.setLastModifiedTime(source.resolve(name), FileTime.from(time));
    }
    Path back = local.resolve("back");
    Path file = local.resolve("file.csv");
    assertThat(run(carrier, "put", "-r", source.toString(), "tree").exitCode()).isZero();
    assertThat(run(carrier, "get", "-r", "tree", back.toString()).exitCode()).isZero();
    assertThat(run(carrier, "get", "tree/a.csv", file.toString()).exitCode()).isZero();
    assertThat(time(root.resolve("tree/sub/c.csv"))).isEqualTo(time);
    assertThat(time(back.resolve("sub/c.csv"))).isEqualTo(time);
    assertThat(time(file)).isEqualTo(time);
    String scheme = carrier == CarrierChoice.GRPC ? "ferry://%s/tree" : "http://%s/files/tree";
    Outcome sync = Outcome.of("sync", back + "", scheme.formatted(servers.address(carrier)));
    assertThat(sync.out()).contains(": 0 copied, 0 deleted, 5 unchanged");

    String[] anew = {"--no-times", "--force"};
    Files.delete(root.resolve("tree/a.csv"));
    assertThat(run(carrier, with(new String[] {"put", file + "", "tree/a.csv"}, anew)).exitCode())
        .isZero();
    assertThat(time(root.resolve("tree/a.csv"))).isAfter(time);
    assertThat(run(carrier, with(new String[] {"get", "tree/b.txt", file + ""}, anew)).exitCode())
        .isZero();
    assertThat(time(file)).isAfter(time);
  }

  private static Instant time(Path file) throws Exception {
    return Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Test
  void putAndGet_namesThatDoNotFit_sayWhatToDo() throws Exception {
    Path source = local.resolve("source");
    fill(source);
    fill(root);
    String a = source.resolve("a.csv").toString();
    String b = source.resolve("b.txt").toString();
    assertRefused(1, "tree: is a folder; add -r to copy what is in it", "get", "tree", ".");
    assertRefused(1, "source: is a folder; add -r to send what is in it", "put", source + "");
    assertRefused(2, "b.txt: is a local file, and the last", "put", a, a + "/../c", b);
    assertRefused(2, ": have the same name; copy them one by one", "put", a, a, "sub/");
    assertRefused(2, ": have the same name", "get", "a.csv", "/a.csv", local + "/");
    assertRefused(3, "new: no such folder; --parents", "get", "a.csv", "b.txt", local + "/new");
    assertRefused(4, "a.csv: is a file, and the last", "get", "a.csv", "b.txt", a);
    assertRefused(2, "FILE is local; add '.'", "get", "a.csv", "ferry://127.0.0.1/b.txt");
    assertRefused(2, "'ferry cat' takes several", "get", "a.csv", "b.txt", "-");
  }

  private void assertRefused(int exitCode, String message, String... command) throws Exception {
    Files.createDirectories(root.resolve("tree"));
    Outcome outcome = run(CarrierChoice.GRPC, command);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void options_thatMakeNoSense_areRefused() {
    for (String line :
        List.of(
            "get a --include=*.csv",
            "put a --exclude=x",
            "get -r a --include=[",
            "get -r a --include=sub/",
            "put -r a --exclude=*.{a,b}",
            "get -r a --jobs=0",
            "get -r a --streams=2",
            "get -r a -",
            "put -r -",
            "put -r no-such-folder")) {
      Outcome outcome = Outcome.of(line.split(" "));
      assertThat(outcome.exitCode()).as(line).isEqualTo(2);
      assertThat(outcome.err()).hasLineCount(1);
    }
  }
}
