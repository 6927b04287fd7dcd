package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedStoreTest {
  private static final CreateOptions MAKING = CreateOptions.DEFAULT.withMakeParents(true);

  @TempDir Path root;

  @BeforeEach
  void makeFiles() throws IOException {
    for (String name : List.of("a/b/f", "a/b/g", "a/c/f", "ab/f", "top")) {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "contents");
    }
  }

  private GuardedStore store(String... rules) throws FerryException {
    return new GuardedStore(LocalFileStore.open(root), "alice", parsed(rules));
  }

  private static List<StoreRule> parsed(String... rules) throws FerryException {
    List<StoreRule> parsed = new ArrayList<>();
    for (String rule : rules) {
      parsed.add(StoreRule.parse(rule));
    }
    return parsed;
  }

  private static StorePath path(String text) {
    return new StorePath(text);
  }

  private static List<String> names(FileStore store, String directory) throws FerryException {
    List<String> names = new ArrayList<>();
    try (Listing listing = store.list(path(directory))) {
      for (FileFacts entry = listing.next(); entry != null; entry = listing.next()) {
        names.add(entry.name());
      }
    }
    return names;
  }

  private static void upload(FileStore store, String name) throws FerryException {
    try (FileSink sink = store.create(path(name), MAKING)) {
      sink.write(ByteBuffer.wrap(new byte[] {'n', 'e', 'w'}));
      sink.commit(3, null);
    }
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(call)
        .matches(e -> e.kind() == kind, "is " + kind);
  }

  /** Every call of a store on a path. */
  private static List<ThrowingCallable> calls(FileStore store, StorePath path) {
    return List.of(
        () -> store.stat(path, false),
        () -> store.stat(path, true),
        () -> store.stat(path, Digest.Algorithm.CRC32C),
        () -> store.list(path),
        () -> store.open(path),
        () -> store.create(path, CreateOptions.DEFAULT),
        () -> store.delete(path, null),
        () -> store.move(path, path.child("to"), true),
        () -> store.makeDirectory(path, true, null),
        () -> store.makeLink(path, "to", true));
  }

  @Test
  void makeLink_isForCallersThatMayDoEverything() throws Exception {
    for (String rule : List.of("all:/a", "write:/")) {
      FileStore some = store(rule);
      assertFails(ErrorKind.PERMISSION_DENIED, () -> some.makeLink(path("a/l"), "ab", true));
    }
    store("all:/").makeLink(path("a/l"), "../ab", true);
    assertThat(link(store("all:/"))).isEqualTo("../ab");
    assertThat(link(store("all:/a"))).isEmpty();
  }

  private static @Nullable String link(FileStore store) throws Exception {
    try (Listing listing = store.list(path("a"))) {
      for (FileFacts facts = listing.next(); facts != null; facts = listing.next()) {
        if (facts.name().equals("a/l")) {
          return facts.link();
        }
      }
    }
    return null;
  }

  @Test
  void all_onEverything_isTheStoreItself() throws Exception {
    GuardedStore store = store("all:/");
    assertThat(names(store, "")).containsExactly("a", "ab", "top");
    assertThat(store.stat(path("top"), true).sha256()).isNotNull();
    assertThat(store.stat(path("top"), Digest.Algorithm.CRC32C).crc32c()).isNotNull();
    store.open(path("a/b/f")).close();
    upload(store, "a/b/f");
    upload(store, "new/f");
    assertThat(root.resolve("a/b/f")).hasContent("new");
    assertThat(root.resolve("new/f")).hasContent("new");
  }

  @Test
  void read_ofAFolder_givesFactsAndContentsAndNothingElse() throws Exception {
    GuardedStore store = store("read:/a/b");
    assertThat(store.stat(path("a/b/f"), true).sha256()).isNotNull();
    assertThat(store.exists(path("a/b/f"))).isTrue();
    assertThat(store.exists(path("a/b/none"))).isFalse();
    store.open(path("a/b/f")).close();
    assertFails(ErrorKind.NOT_FOUND, () -> store.open(path("a/b/none")));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.list(path("a/b")));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> upload(store, "a/b/f"));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> upload(store, "a/b/new"));
  }

  @Test
  void list_ofAFolder_givesFactsWithoutDigests() throws Exception {
    LocalFileStore whole = LocalFileStore.open(root);
    assertThat(whole.stat(path("a/b/f"), true).sha256()).isNotNull();
    GuardedStore store = new GuardedStore(whole, "alice", parsed("list:/a"));
    try (Listing listing = store.list(path("a/b"))) {
      assertThat(listing.next()).matches(f -> f.name().equals("a/b/f") && f.digests().isEmpty());
    }
    assertThat(store.stat(path("a/b/f"), false).digests()).isEmpty();
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.stat(path("a/b/f"), true));
    assertFails(
        ErrorKind.PERMISSION_DENIED, () -> store.stat(path("a/b/f"), Digest.Algorithm.CRC32C));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.open(path("a/b/f")));
  }

  @Test
  void create_makesNewFilesAlone() throws Exception {
    GuardedStore store = store("create:/a/b");
    upload(store, "a/b/new");
    upload(store, "a/b/deep/new");
    assertFails(ErrorKind.ALREADY_EXISTS, () -> upload(store, "a/b/f"));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> store.create(path("a/b/f"), CreateOptions.DEFAULT.withReplaced("1-2.3-4")));
    assertThat(root.resolve("a/b/f")).hasContent("contents");
    assertThat(store.exists(path("a/b/f"))).isTrue();
    for (String name : List.of("a/b/f", "a/b/none")) {
      assertFails(ErrorKind.PERMISSION_DENIED, () -> store.stat(path(name), false));
      assertFails(ErrorKind.PERMISSION_DENIED, () -> store.open(path(name)));
    }
    assertThat(store.stat(path("a/b"), false).directory()).isTrue();
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.list(path("a/b")));
  }

  @Test
  void write_replacesFiles() throws Exception {
    GuardedStore store = store("write:/a/b");
    upload(store, "a/b/f");
    upload(store, "a/b/new");
    assertThat(root.resolve("a/b/f")).hasContent("new");
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.open(path("a/b/f")));
  }

  @Test
  void delete_removesAndDoesNothingElse() throws Exception {
    GuardedStore store = store("delete:/a/b");
    store.delete(path("a/b/g"), null);
    assertThat(root.resolve("a/b/g")).doesNotExist();
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.move(path("a/b/f"), path("a/b/n"), false));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.makeDirectory(path("a/b/n"), false, null));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> upload(store, "a/b/f"));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store("write:/a").delete(path("a/b/f"), null));
    assertThat(root.resolve("a/b/f")).exists();
  }

  @Test
  void move_needsToDeleteThereAndToCreateHere() throws Exception {
    GuardedStore store = store("delete:/a/b", "create:/ab");
    assertFails(ErrorKind.ALREADY_EXISTS, () -> store.move(path("a/b/f"), path("ab/f"), true));
    store.move(path("a/b/f"), path("ab/new"), true);
    assertThat(root.resolve("ab/new")).hasContent("contents");
    assertFails(ErrorKind.NOT_FOUND, () -> store.move(path("a/b/g"), path("new"), false));
    assertFails(ErrorKind.NOT_FOUND, () -> store.move(path("a/c/f"), path("ab/x"), false));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.move(path("ab/f"), path("ab/x"), false));
    store("delete:/a/b", "write:/ab").move(path("a/b/g"), path("ab/f"), true);
    assertThat(root.resolve("a/b/g")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read:/ab", "list:/ab", "read:/ab/new", "list:/ab/new/deep"})
  void move_toWhereTheCallerSeesMore_isRefused(String shown) throws Exception {
    GuardedStore store = store("delete:/a", "create:/ab", shown);
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.move(path("a/b"), path("ab/new"), false));
    String same = shown.replaceFirst("/.*", "/a");
    store("delete:/a", "create:/ab", shown, same).move(path("a/b"), path("ab/new"), false);
    assertThat(root.resolve("ab/new/f")).hasContent("contents");
  }

  @Test
  void folders_thatLeadToARule_listWhatLeadsThere() throws Exception {
    GuardedStore store = store("read:/a/b", "read:/top", "create:/ab/f");
    assertThat(names(store, "")).containsExactly("a", "ab", "top");
    assertThat(names(store, "a")).containsExactly("a/b");
    assertThat(names(store, "ab")).isEmpty();
    assertThat(store.stat(StorePath.ROOT, false).directory()).isTrue();
    assertThat(store.stat(path("a"), false).directory()).isTrue();
    assertThat(names(store("list:/a/b"), "a/b")).containsExactly("a/b/f", "a/b/g");
    assertThat(names(store("read:/", "list:/a/b"), "a")).containsExactly("a/b");
    assertFails(ErrorKind.NOT_FOUND, () -> store("read:/none/f").stat(path("none"), false));
    assertFails(ErrorKind.NOT_FOUND, () -> store("read:/top/f").stat(path("top"), false));
  }

  @Test
  void folder_thatLeadsToARule_isNotReadAsAWhole() throws Exception {
    Files.createDirectory(root.resolve("a/é"));
    Files.createDirectory(root.resolve("a/z"));
    LocalFileStore local = LocalFileStore.open(root);
    FileStore unreadable =
        new ForwardingStore(local) {
          @Override
          public Listing list(StorePath directory) {
            throw new AssertionError(directory + " is read");
          }
        };
    GuardedStore store =
        new GuardedStore(
            unreadable,
            "alice",
            parsed("all:/a/é/x", "all:/a/z", "read:/a/z/y", "read:/a/none", "create:/b"));
    assertThat(names(store, "a")).containsExactly("a/z", "a/é");
    assertThat(names(store, "")).containsExactly("a");
    assertFails(ErrorKind.NOT_FOUND, () -> names(store("read:/top/f"), "top"));
    assertFails(ErrorKind.NOT_FOUND, () -> names(store("read:/none/f"), "none"));
    Listing closed = store.list(path("a"));
    closed.close();
    assertFails(ErrorKind.CANCELLED, closed::next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab/f", "ab", "a/c/f", "a/c", "a/bc", "top", "A/b/f"})
  void path_outsideOfTheRules_isNotFoundWhetherItExistsOrNot(String name) throws Exception {
    List<StoreRule> rules = parsed("all:/a/b");
    Path empty = Files.createDirectory(root.resolve("empty"));
    List<ThrowingCallable> present =
        calls(new GuardedStore(LocalFileStore.open(root), "alice", rules), path(name));
    List<ThrowingCallable> absent =
        calls(new GuardedStore(LocalFileStore.open(empty), "alice", rules), path(name));
    for (int i = 0; i < present.size(); i++) {
      FerryException failure = catchThrowableOfType(FerryException.class, present.get(i));
      assertThat(failure.kind()).isEqualTo(ErrorKind.NOT_FOUND);
      assertThat(failure).hasMessage(name + ": no such file").hasNoCause();
      assertThat(catchThrowableOfType(FerryException.class, absent.get(i)))
          .hasMessage(failure.getMessage());
    }
    assertThat(new GuardedStore(LocalFileStore.open(root), "alice", rules).exists(path(name)))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b/../../top", "a/b/..", "..", "/a/b", "a/b/", "a//b", "a/b/./f"})
  void path_thatIsNotPlain_isInvalidPath(String name) throws Exception {
    for (ThrowingCallable call : calls(store("all:/a/b"), path(name))) {
      assertFails(ErrorKind.INVALID_PATH, call);
    }
  }

  @Test
  void noRules_seeNothing() throws Exception {
    for (String name : List.of("", "a", "top")) {
      for (ThrowingCallable call : calls(store(), path(name))) {
        assertFails(ErrorKind.NOT_FOUND, call);
      }
    }
  }

  private static String path(Generated input) {
    return String.join("/", input.list(0, 3, () -> input.of("a", "ab", "b")));
  }

  private static List<StoreRule> rules(Generated input) {
    return input.list(
        0, 3, () -> new StoreRule(input.of(StoreRule.Permission.class), path(path(input))));
  }

  /** What a call came to: the store was asked, or the kind of the refusal. */
  private static List<String> decisions(List<StoreRule> rules, String path, ErrorKind answer) {
    FileStore answering =
        new FileStore() {
          private FerryException asked() {
            return new FerryException(answer, "asked");
          }

          @Override
          public FileFacts stat(StorePath path, boolean digest) throws FerryException {
            throw asked();
          }

          @Override
          public Listing list(StorePath directory) throws FerryException {
            throw asked();
          }

          @Override
          public FileSource open(StorePath path) throws FerryException {
            throw asked();
          }

          @Override
          public FileSink create(StorePath path, CreateOptions options) throws FerryException {
            throw asked();
          }

          @Override
          public void delete(StorePath path, @Nullable String version) throws FerryException {
            throw asked();
          }

          @Override
          public void move(StorePath source, StorePath target, boolean replace)
              throws FerryException {
            throw asked();
          }

          @Override
          public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
              throws FerryException {
            throw asked();
          }

          @Override
          public void makeLink(StorePath path, String target, boolean replace)
              throws FerryException {
            throw asked();
          }
        };
    return calls(new GuardedStore(answering, "alice", rules), path(path)).stream()
        .map(call -> catchThrowableOfType(FerryException.class, call))
        .map(e -> "asked".equals(e.getMessage()) ? "asked" : e.kind() + e.getMessage())
        .toList();
  }

  @Test
  void decision_dependsOnRulesPermissionAndPathAlone() {
    Generated.check(300, input -> assertDependOnNothingElse(rules(input), path(input)));
  }

  private static void assertDependOnNothingElse(List<StoreRule> rules, String path) {
    List<String> decisions = decisions(rules, path, ErrorKind.NOT_FOUND);
    assertThat(decisions(rules, path, ErrorKind.INTERNAL)).isEqualTo(decisions);
    boolean known =
        rules.stream()
            .map(StoreRule::path)
            .anyMatch(rule -> path(path).isWithin(rule) || rule.isWithin(path(path)));
    if (!known) {
      assertThat(decisions).containsOnly("NOT_FOUND" + path + ": no such file");
    }
    // A rule more never takes anything away.
    StoreRule all = new StoreRule(StoreRule.Permission.ALL, path(path));
    List<String> more =
        decisions(Stream.concat(rules.stream(), Stream.of(all)).toList(), path, ErrorKind.INTERNAL);
    // The last one is a link, for which a rule must be for everything.
    assertThat(more.subList(0, more.size() - 1)).containsOnly("asked");
  }

  @Test
  void folder_ofOnesOwn_isMadeWhenItsUserLooks() throws Exception {
    for (String looked : List.of("", "new", "new/home")) {
      GuardedStore store = store("all:/new/home/");
      assertThat(names(store, looked))
          .containsExactlyElementsOf(
              looked.isEmpty()
                  ? List.of("new")
                  : looked.equals("new") ? List.of("new/home") : List.of());
      assertThat(root.resolve("new/home")).isEmptyDirectory();
      removeNew();
      assertThat(store.stat(path(looked), false).directory()).isTrue();
      assertThat(root.resolve("new/home").toFile().exists()).isEqualTo(!looked.isEmpty());
      if (!looked.isEmpty()) {
        removeNew();
      }
    }
    assertThat(store("all:/new/home/").exists(path("new/home"))).isTrue();
    removeNew();
    assertFails(ErrorKind.INVALID_PATH, () -> store("all:/new/home/").open(path("new/home")));
    removeNew();
    GuardedStore two = store("create:/new/", "list:/");
    assertThat(names(two, "")).contains("new");
    Files.delete(root.resolve("new"));
  }

  @Test
  void folder_thatIsNotOnesOwn_isNotMade() throws Exception {
    FileStore readOnly =
        new GuardedStore(
            new ReadOnlyStore(LocalFileStore.open(root)), "alice", parsed("all:/new/"));
    List<FileStore> others =
        List.of(
            readOnly,
            store("read:/new/", "list:/new/"),
            store("create:/new/"),
            store("all:/other/"),
            store("all:/", "all:/new"),
            store("list:/", "write:/new"));
    for (FileStore store : others) {
      assertFails(ErrorKind.NOT_FOUND, () -> store.stat(path("new"), false));
      assertThat(names(store, "")).doesNotContain("new");
    }
    assertThat(root.resolve("new")).doesNotExist();
  }

  @Test
  void folder_ofOnesOwn_whoseNameAFileHas_isNotFound() throws Exception {
    assertThat(store("all:/top/").stat(path("top"), false).directory()).isFalse();
    assertFails(ErrorKind.NOT_FOUND, () -> store("all:/top/").list(path("top")));
    GuardedStore below = store("all:/top/new/");
    assertFails(ErrorKind.NOT_FOUND, () -> below.stat(path("top"), false));
    assertFails(ErrorKind.NOT_FOUND, () -> below.stat(path("top/new"), false));
    assertThat(names(below, "")).isEmpty();
  }

  @Test
  void folder_ofOnesOwn_isThereForWhatIsMadeInIt() throws Exception {
    GuardedStore store = store("all:/new/home/", "all:/ab");
    Path home = root.resolve("new/home");
    try (FileSink sink = store.create(path("new/home/f"), CreateOptions.DEFAULT)) {
      sink.commit(0, null);
    }
    assertThat(home.resolve("f")).isEmptyFile();
    Files.delete(home.resolve("f"));
    removeNew();
    store.makeDirectory(path("new/home"), false, null);
    assertFails(ErrorKind.ALREADY_EXISTS, () -> store.makeDirectory(path("new/home"), false, null));
    removeNew();
    store.makeDirectory(path("new/home/deep"), false, null);
    assertThat(home.resolve("deep")).isEmptyDirectory();
    Files.delete(home.resolve("deep"));
    removeNew();
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> store.create(path("new/home"), CreateOptions.DEFAULT).close());
    assertThat(home).isEmptyDirectory();
    removeNew();
    store.move(path("ab/f"), path("new/home/f"), false);
    assertThat(home.resolve("f")).hasContent("contents");
    Files.delete(home.resolve("f"));
    removeNew();
    try (StagedTree tree = store.stage(path("new/home/tree"), false)) {
      tree.store().makeDirectory(path("new/home/tree"), false, null);
      tree.publish();
    }
    assertThat(home.resolve("tree")).isEmptyDirectory();
  }

  private void removeNew() throws IOException {
    Files.delete(root.resolve("new/home"));
    Files.delete(root.resolve("new"));
  }
}
