package dev.ferry.core.local;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.core.Background;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.ReadOnlyStore;
import dev.ferry.core.Sha256;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalFileStoreTest {
  private static final CreateOptions MAKING = CreateOptions.DEFAULT.withMakeParents(true);
  private static final CreateOptions CREATE_ONLY = CreateOptions.DEFAULT.withCreateOnly(true);

  private Path outside = Path.of("");
  private Path root = Path.of("");

  @BeforeEach
  void makeDirectories(@TempDir Path temporary) throws IOException {
    outside = Files.createDirectory(temporary.resolve("outside"));
    root = Files.createDirectory(temporary.resolve("root"));
    write(outside.resolve("secret"), random(5, 1));
  }

  private LocalFileStore store() throws FerryException {
    return LocalFileStore.open(root);
  }

  private static StorePath path(String text) throws FerryException {
    return StorePath.parse(text);
  }

  private static void upload(FileStore store, String name, byte[] bytes) throws FerryException {
    try (FileSink sink = store.create(new StorePath(name), MAKING)) {
      sink.write(ByteBuffer.wrap(bytes));
      sink.commit(bytes.length, null);
    }
  }

  private static byte[] read(FileStore store, String name) throws IOException {
    try (FileSource source = store.open(new StorePath(name))) {
      ByteBuffer bytes = ByteBuffer.allocate((int) source.facts().size());
      source.readFully(bytes, 0);
      source.verifyUnchanged();
      return bytes.array();
    }
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(call)
        .matches(e -> e.kind() == kind, "is " + kind)
        .withMessageNotContaining(System.getProperty("java.io.tmpdir") + "/");
  }

  private static void assertInvalid(FileStore store, String name) {
    assertFails(ErrorKind.INVALID_PATH, () -> store.stat(new StorePath(name), true));
    assertFails(ErrorKind.INVALID_PATH, () -> store.open(new StorePath(name)));
    assertFails(ErrorKind.INVALID_PATH, () -> store.list(new StorePath(name)));
    assertFails(ErrorKind.INVALID_PATH, () -> upload(store, name, random(1, 1)));
  }

  @Test
  void open_ofNoDirectory_isNotFound() throws Exception {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(root.resolve("none")))
        .matches(e -> e.kind() == ErrorKind.NOT_FOUND);
    Path file = write(root.resolve("file"), random(1, 1));
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(file))
        .matches(e -> e.kind() == ErrorKind.NOT_FOUND);
  }

  @Test
  void open_ofWhatCannotBeReached_namesThePart() throws Exception {
    Path file = write(root.resolve("file"), random(1, 1));
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(root.resolve("no/such/folder")))
        .withMessage(root.resolve("no") + ": no such folder");
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(file.resolve("folder")))
        .withMessage(file + ": is a file, not a folder");
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(Path.of("no-such-folder/at/all")))
        .withMessage("no-such-folder: no such folder");
  }

  @Test
  void requireWritable_ofAFolderThatIsNot_isPermissionDenied() throws Exception {
    // No file can be made there, not even by root.
    Path process = Path.of("/proc/self");
    assumeThat(process).isDirectory();
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(process).requireWritable())
        .matches(e -> e.kind() == ErrorKind.PERMISSION_DENIED)
        .withMessageEndingWith(": cannot be written to");
  }

  @ParameterizedTest
  @CsvSource({
    "rw-r--r--, rw-------, rw-------",
    "rw-------, rw-r--r--, rw-------",
    "rw-r--r--, rwxr-xr-x, rwxr-xr-x",
    "rw-r--r--, rwx------, rwx------"
  })
  void move_overAFile_isNoMoreOpenThanEither(String source, String replaced, String expected)
      throws Exception {
    TestFiles.permit(TestFiles.write(root.resolve("source"), new byte[1]), source);
    Path target = TestFiles.permit(TestFiles.write(root.resolve("file"), new byte[2]), replaced);
    store().move(new StorePath("source"), new StorePath("file"), true);
    assertThat(target).hasSize(1);
    assertThat(TestFiles.permissions(target)).isEqualTo(expected);
    // A link to nothing has no permissions.
    Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("nowhere"));
    store().move(new StorePath("file"), new StorePath("link"), true);
    assertThat(TestFiles.permissions(link)).isEqualTo(expected);
  }

  @Test
  void requireWritable_onAFullDisk_saysSo() throws Exception {
    SinkOptions full =
        SinkOptions.DEFAULT.withOpener(
            (file, attributes) -> {
              throw new IOException("No space left on device");
            });
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> LocalFileStore.open(root, full).requireWritable())
        .matches(e -> e.kind() == ErrorKind.OUT_OF_SPACE);
  }

  @Test
  void requireWritable_ofAFolderThatIs_leavesNothing() throws Exception {
    store().requireWritable();
    assertThat(TestFiles.tree(root)).isEmpty();
  }

  @Test
  void readOnly_store_readsAndRefusesToWrite() throws Exception {
    FileStore store = new ReadOnlyStore(store());
    write(root.resolve("dir/file"), random(5, 1));
    assertThat(read(store, "dir/file")).isEqualTo(random(5, 1));
    assertThat(store.stat(path("dir/file"), true).sha256()).isNotNull();
    assertThat(store.exists(path("dir/none"))).isFalse();
    assertThat(TestFiles.list(store, path("dir"))).hasSize(1);
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.create(path("new"), MAKING));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> store.makeLink(path("new"), "dir", false));
    assertFails(ErrorKind.INVALID_PATH, () -> store.create(new StorePath("../new"), MAKING));
    assertThat(TestFiles.tree(root)).containsExactly("dir/", "dir/file");
  }

  @Test
  void open_ofALinkToADirectory_resolvesIt() throws Exception {
    Path link = Files.createSymbolicLink(outside.resolve("link"), root);
    assertThat(LocalFileStore.open(link).root()).isEqualTo(root.toRealPath());
    upload(LocalFileStore.open(link), "a/b", random(5, 1));
    assertThat(root.resolve("a/b")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside/secret",
        "a/../../outside/new",
        "/etc/passwd",
        "a//b",
        ".ferry-x",
        "a/."
      })
  void anyCall_withAPathNobodyParsed_isRefused(String text) throws Exception {
    assertInvalid(store(), text);
    assertThat(TestFiles.tree(root)).isEmpty();
    assertThat(TestFiles.tree(outside)).containsExactly("secret");
  }

  @Test
  void rootItself_isNoFile() throws Exception {
    assertFails(ErrorKind.INVALID_PATH, () -> store().open(StorePath.ROOT));
    assertFails(
        ErrorKind.INVALID_PATH, () -> store().create(StorePath.ROOT, CreateOptions.DEFAULT));
    assertThat(store().stat(StorePath.ROOT, true).directory()).isTrue();
  }

  @Test
  void link_insideTheRoot_isFollowed() throws Exception {
    LocalFileStore store = store();
    write(root.resolve("dir/file"), random(5, 1));
    Files.createSymbolicLink(root.resolve("dirlink"), Path.of("dir"));
    Files.createSymbolicLink(root.resolve("filelink"), Path.of("dir/file"));
    assertThat(read(store, "dirlink/file")).isEqualTo(random(5, 1));
    assertThat(read(store, "filelink")).isEqualTo(random(5, 1));
    assertThat(store.stat(path("filelink"), false).size()).isEqualTo(5);
    assertThat(TestFiles.list(store, path("dirlink")))
        .extracting(FileFacts::name)
        .containsExactly("dirlink/file");

    upload(store, "dirlink/new", random(6, 1));
    assertThat(root.resolve("dir/new")).binaryContent().isEqualTo(random(6, 1));
    upload(store, "filelink", random(7, 1));
    assertThat(root.resolve("filelink")).isRegularFile().binaryContent().isEqualTo(random(7, 1));
    assertThat(root.resolve("dir/file")).binaryContent().isEqualTo(random(5, 1));
  }

  @Test
  void link_leadingOut_tellsNothingOfWhatIsMissingThere() throws Exception {
    Files.createSymbolicLink(root.resolve("out"), outside);
    assertInvalid(store(), "out/no/such");
    assertInvalid(store(), "out/secret/below");
  }

  @Test
  void link_leadingOut_isRefusedAndNotListed() throws Exception {
    LocalFileStore store = store();
    Files.createSymbolicLink(root.resolve("out"), outside);
    Files.createSymbolicLink(root.resolve("relative"), Path.of("../outside"));
    Files.createSymbolicLink(root.resolve("chain"), Path.of("out"));
    for (String name : List.of("out", "relative", "chain")) {
      assertFails(ErrorKind.INVALID_PATH, () -> store.stat(path(name), true));
      assertFails(ErrorKind.INVALID_PATH, () -> store.list(path(name)));
      assertInvalid(store, name + "/secret");
      assertFails(ErrorKind.INVALID_PATH, () -> upload(store, name + "/new/file", random(1, 1)));
    }
    Files.createSymbolicLink(root.resolve("secret"), outside.resolve("secret"));
    assertFails(ErrorKind.INVALID_PATH, () -> store.open(path("secret")));
    assertLeftOut(store, "chain LINK", "out LINK", "relative LINK", "secret LINK");
    assertThat(TestFiles.tree(outside)).containsExactly("secret");
  }

  @Test
  void link_leadingOutAsATarget_isReplacedAndNotFollowed() throws Exception {
    Path link = Files.createSymbolicLink(root.resolve("secret"), outside.resolve("secret"));
    upload(store(), "secret", random(9, 2));
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(link).binaryContent().isEqualTo(random(9, 2));
    assertThat(outside.resolve("secret")).binaryContent().isEqualTo(random(5, 1));
  }

  @Test
  void link_leadingNowhere_isNotFoundAndNotWrittenThrough() throws Exception {
    LocalFileStore store = store();
    Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("new"));
    assertFails(ErrorKind.NOT_FOUND, () -> store.open(path("dangling")));
    assertFails(ErrorKind.INVALID_PATH, () -> upload(store, "dangling/file", random(1, 1)));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> store.create(path("dangling"), CREATE_ONLY));
    assertLeftOut(store, "dangling LINK");
    upload(store, "dangling", random(3, 1));
    assertThat(root.resolve("dangling")).isRegularFile();
    assertThat(outside.resolve("new")).doesNotExist();
  }

  @Test
  void link_inALoop_isInvalidPath() throws Exception {
    Files.createSymbolicLink(root.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(root.resolve("b"), Path.of("a"));
    assertInvalid(store(), "a/x");
    assertFails(ErrorKind.INVALID_PATH, () -> store().open(path("a")));
  }

  @Test
  void list_ofADirectory_hasAllButFerrysOwnFiles() throws Exception {
    write(root.resolve("b"), random(2, 1));
    write(root.resolve("a"), random(1, 1));
    write(root.resolve("dir/x"), random(3, 1));
    write(root.resolve("back\\slash"), random(1, 1));
    write(root.resolve("Icon\r"), random(1, 1));
    write(root.resolve(".ferry-other"), random(1, 1));
    write(root.resolve(".ferry-uploads/x"), random(1, 1));
    write(TestFiles.ofBytes(root, "a\u00e9"), random(1, 1));
    LocalFileStore store = store();
    try (FileSink underWay = store.create(path("c"), CreateOptions.DEFAULT)) {
      underWay.write(ByteBuffer.wrap(random(3, 1)));
      assertThat(TestFiles.list(store, StorePath.ROOT))
          .extracting(FileFacts::name)
          .containsExactly(".ferry-other", "Icon\r", "a", "a\\xe9", "b", "back\\slash", "dir");
      assertLeftOut(store, ".ferry-other NAME", "a\\xe9 NAME");
    }
  }

  @Test
  void list_ofLinksToFoldersAbove_leavesThemOut() throws Exception {
    write(root.resolve("one/f"), random(1, 1));
    write(root.resolve("two/f"), random(1, 1));
    Files.createSymbolicLink(root.resolve("one/here"), Path.of("."));
    Files.createSymbolicLink(root.resolve("one/up"), Path.of(".."));
    Files.createSymbolicLink(root.resolve("one/other"), Path.of("../two"));
    Files.createSymbolicLink(root.resolve("two/back"), Path.of("../one"));
    LocalFileStore store = store();
    assertThat(leftOut(store, "one")).containsExactly("one/here LOOP", "one/up LOOP");
    assertThat(TestFiles.list(store, path("two")).get(0).directory()).isTrue();
    assertThat(leftOut(store, "one/other")).containsExactly("one/other/back LOOP");
    assertThat(leftOut(store, "two/back"))
        .containsExactly("two/back/here LOOP", "two/back/other LOOP", "two/back/up LOOP");
  }

  @Test
  void listTree_ofLinksThatShareFolders_hasEachOfThemOnce() throws Exception {
    for (String folder : List.of("tree", "other")) {
      for (int i = 0; i < 3; i++) {
        write(root.resolve(folder + "/p" + i + "/f"), random(1, 1));
        if (i > 0) {
          for (String link : List.of("a", "b")) {
            Path from = root.resolve(folder + "/p" + (i - 1)).resolve(link);
            Files.createSymbolicLink(from, Path.of("../p" + i));
          }
        }
      }
    }
    // The tree itself is behind a link, too.
    Files.createSymbolicLink(root.resolve("link"), Path.of("tree"));
    Files.createSymbolicLink(root.resolve("tree/out"), Path.of("../other/p0"));
    List<String> expected =
        List.of(
            "out/",
            "out/a TREE",
            "out/b TREE",
            "out/f",
            "p0/",
            "p0/a TREE",
            "p0/b TREE",
            "p0/f",
            "p1/",
            "p1/a TREE",
            "p1/b TREE",
            "p1/f",
            "p2/",
            "p2/f");
    for (String tree : List.of("tree", "link")) {
      List<String> names = new ArrayList<>();
      try (Listing listing = store().listTree(path(tree))) {
        for (FileFacts entry = listing.next(); entry != null; entry = listing.next()) {
          String reason = entry.leftOut() == null ? "" : " " + entry.leftOut();
          String name = entry.name().substring(tree.length() + 1);
          names.add(name + (entry.directory() ? "/" : "") + reason);
        }
      }
      assertThat(names).isEqualTo(expected);
    }
  }

  @Test
  void special_file_isListedAndNeverReplaced() throws Exception {
    Path pipe = root.resolve("pipe");
    assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Files.createSymbolicLink(root.resolve("link"), Path.of("pipe"));
    LocalFileStore store = store();
    assertLeftOut(store, "link SPECIAL", "pipe SPECIAL");
    write(root.resolve("file"), random(1, 1));
    for (String name : List.of("pipe", "link")) {
      assertThat(store.stat(path(name), false).leftOut()).isEqualTo(LeftOut.SPECIAL);
      assertFails(ErrorKind.INVALID_PATH, () -> store.open(path(name)));
      assertFails(ErrorKind.NOT_FOUND, () -> store.list(path(name)));
      assertFails(ErrorKind.INVALID_PATH, () -> upload(store, name, random(1, 1)));
      assertFails(ErrorKind.INVALID_PATH, () -> store.move(path("file"), path(name), true));
    }
    assertThat(TestFiles.tree(root)).containsExactly("file", "link", "pipe");
  }

  private static void assertLeftOut(FileStore store, String... expected) throws Exception {
    assertThat(leftOut(store, "")).containsExactly(expected);
  }

  private static List<String> leftOut(FileStore store, String directory) throws Exception {
    return TestFiles.list(store, StorePath.parseDirectory(directory)).stream()
        .filter(entry -> entry.leftOut() != null)
        .map(entry -> entry.name() + " " + entry.leftOut())
        .toList();
  }

  @Test
  void read_belowAFile_isNotFound() throws Exception {
    write(root.resolve("file"), random(2, 1));
    assertFails(ErrorKind.NOT_FOUND, () -> store().stat(path("file/x"), false));
    assertFails(ErrorKind.NOT_FOUND, () -> store().open(path("file/x")));
    assertFails(ErrorKind.NOT_FOUND, () -> store().list(path("file")));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> upload(store(), "file/x", random(1, 1)));
  }

  @Test
  void digest_afterAChange_isComputedAnew() throws Exception {
    LocalFileStore store = store();
    Path file = TestFiles.age(write(root.resolve("file"), random(100, 1)));
    assertThat(store.stat(path("file"), false).sha256()).isNull();
    assertThat(store.stat(path("file"), true).sha256()).isEqualTo(Sha256.ofFile(file));
    assertThat(store.stat(path("file"), false).sha256()).isEqualTo(Sha256.ofFile(file));
    assertThat(TestFiles.list(store, StorePath.ROOT).get(0).sha256())
        .isEqualTo(Sha256.ofFile(file));

    write(file, random(100, 2));
    assertThat(store.stat(path("file"), false).sha256()).isNull();
    assertThat(store.stat(path("file"), true).sha256()).isEqualTo(Sha256.ofFile(file));

    upload(store, "file", random(100, 3));
    assertThat(store.stat(path("file"), false).sha256()).isNull();
  }

  @Test
  void digest_computedForADownload_isKnownUnlessTheFileChanged() throws Exception {
    LocalFileStore store = store();
    Path file = TestFiles.age(write(root.resolve("file"), random(100, 1)));
    try (FileSource source = store.open(path("file"))) {
      Digest digest = source.digest(Digest.Algorithm.SHA256);
      assertThat(store.stat(path("file"), false).sha256()).isNull();
      source.verifyUnchanged();
      assertThat(store.stat(path("file"), false).sha256()).isEqualTo(digest);
    }
    write(file, random(100, 2));
    TestFiles.age(file);
    try (FileSource source = store.open(path("file"))) {
      assertThat(source.facts().sha256()).isNull();
      assertThat(source.digest(Digest.Algorithm.SHA256)).isEqualTo(Sha256.ofFile(file));
      write(file, random(100, 3));
      assertFails(ErrorKind.FILE_CHANGED, source::verifyUnchanged);
    }
    assertThat(store.stat(path("file"), false).sha256()).isNull();
  }

  @Test
  void digest_ofACheckedUpload_isKnown() throws Exception {
    LocalFileStore store = store();
    Files.createDirectory(root.resolve("dir"));
    Files.createSymbolicLink(root.resolve("link"), Path.of("dir"));
    Sha256 digest = Sha256.ofFile(write(outside.resolve("x"), random(100, 1)));
    try (FileSink sink = store.create(path("link/file"), CreateOptions.DEFAULT)) {
      sink.write(ByteBuffer.wrap(random(100, 1)));
      assertThat(sink.commit(100, digest).sha256()).isEqualTo(digest);
    }
    try (FileSource source = store.open(path("dir/file"))) {
      assertThat(source.facts().sha256()).isEqualTo(digest);
    }
  }

  @Test
  void digest_ofAnotherAlgorithm_isKnownBesideTheFirst() throws Exception {
    LocalFileStore store = store();
    Path file = TestFiles.age(write(root.resolve("file"), random(100, 1)));
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      assertThat(store.stat(path("file"), false).digest(algorithm)).isNull();
      assertThat(store.stat(path("file"), algorithm).digest(algorithm))
          .isEqualTo(algorithm.ofFile(file));
    }
    try (FileSource source = store.open(path("file"))) {
      assertThat(source.facts().digests())
          .containsExactly(
              Digest.Algorithm.CRC32C.ofFile(file), Digest.Algorithm.SHA256.ofFile(file));
    }
    upload(store, "file", random(100, 3));
    assertThat(store.stat(path("file"), false).digests()).isEmpty();
  }

  @Test
  void digest_whileUploadsRaceForOneName_isAlwaysThatOfTheFile() throws Exception {
    LocalFileStore store = store();
    List<byte[]> contents = List.of(random(1000, 1), random(1000, 2));
    List<Background<Boolean>> writers = new ArrayList<>();
    AtomicBoolean stop = new AtomicBoolean();
    upload(store, "file", contents.get(0));
    for (byte[] bytes : contents) {
      Sha256 digest = Sha256.ofFile(write(outside.resolve("x"), bytes));
      writers.add(
          Background.start(
              () -> {
                while (!stop.get()) {
                  try (FileSink sink = store.create(path("file"), CreateOptions.DEFAULT)) {
                    sink.write(ByteBuffer.wrap(bytes));
                    sink.commit(bytes.length, digest);
                  }
                }
                return true;
              }));
    }
    try {
      for (int i = 0; i < 1000; i++) {
        try (FileSource source = store.open(path("file"))) {
          if (source.facts().sha256() != null) {
            assertThat(source.facts().sha256()).isEqualTo(source.digest(Digest.Algorithm.SHA256));
          }
        }
        assertThat(store.stat(path("file"), true).size()).isEqualTo(1000);
      }
    } finally {
      stop.set(true);
    }
    for (Background<Boolean> writer : writers) {
      assertThat(writer.result()).isTrue();
    }
  }

  @Test
  void uploads_givenUpBesideOthers_neverTakeTheirDirectories() throws Exception {
    LocalFileStore store = store();
    List<Background<Boolean>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boolean givesUp = i % 2 == 0;
      String name = "a/b/c/file" + i;
      writers.add(
          Background.start(
              () -> {
                for (int n = 0; n < 300; n++) {
                  try (FileSink sink = store.create(path(name), MAKING)) {
                    sink.write(ByteBuffer.wrap(random(10, n)));
                    if (!givesUp) {
                      sink.commit(10, null);
                    }
                  }
                  if (!givesUp) {
                    Files.delete(root.resolve(name));
                  }
                }
                return true;
              }));
    }
    for (Background<Boolean> writer : writers) {
      assertThat(writer.result()).isTrue();
    }
    assertThat(TestFiles.tree(root)).allMatch(left -> left.endsWith("/"));
  }

  @Test
  void stat_digestRequestedByManyAtOnce_isReturnedToAll(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[4_000_000]);
    LocalFileStore many = LocalFileStore.open(folder);

    List<Background<Sha256>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(Background.start(() -> many.stat(StorePath.parse("file"), true).sha256()));
    }

    for (Background<Sha256> call : calls) {
      assertThat(call.result()).isEqualTo(Sha256.ofFile(file));
    }
  }
}
