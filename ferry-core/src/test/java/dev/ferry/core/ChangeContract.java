package dev.ferry.core;

import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.internal.FileTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How names in a store change: files and folders are deleted, moved and made. */
abstract class ChangeContract extends ContractHarness {
  private static final int CROWD = 8;

  /** Whether the client can delete, move and make folders. */
  protected boolean changesNames() {
    return true;
  }

  /** The client of a test of this class. */
  private Carrier changing() {
    assumeTrue(changesNames(), "the client knows only some methods of HTTP");
    return carrier();
  }

  @Test
  void delete_ofAFileOrAnEmptyFolder_removesIt() throws Exception {
    Carrier carrier = changing();
    storeFile("dir/file", random(10, 1));
    storeFile("kept", random(10, 1));
    carrier.delete(path("dir/file"), null);
    assertThat(files().tree()).containsExactly("dir/", "kept");
    carrier.delete(path("dir"), null);
    assertThat(files().tree()).containsExactly("kept");
    assertFails(
        ErrorKind.NOT_FOUND, "dir: no such folder", () -> carrier.delete(path("dir/f"), null));
  }

  @Test
  void delete_ofAFolderWithFiles_isRefused() throws Exception {
    Carrier carrier = changing();
    storeFile("dir/file", random(10, 1));
    assertFails(
        ErrorKind.NOT_EMPTY,
        "dir: the folder is not empty",
        () -> carrier.delete(path("dir"), null));
    assertThat(files().tree()).containsExactly("dir/", "dir/file");
  }

  @Test
  void delete_ofAFolderWithLeftovers_removesBoth() throws Exception {
    Carrier carrier = changing();
    Path unused = localDisk("leaves the temporary file of an upload in a folder");
    storeFile("dir/.ferry-999999999-1-0123456789abcdef.part", random(10, 1));
    carrier.delete(path("dir"), null);
    assertThat(files().tree()).isEmpty();
  }

  @Test
  void delete_ofAVersion_removesNoOther() throws Exception {
    Carrier carrier = changing();
    storeFile("file", random(10, 1));
    String version = carrier.stat(path("file"), false).version();
    storeFile("file", random(11, 1));
    assertFails(ErrorKind.VERSION_MISMATCH, () -> carrier.delete(path("file"), version));
    assertThat(files().tree()).containsExactly("file");
    carrier.delete(path("file"), carrier.stat(path("file"), false).version());
    assertThat(files().tree()).isEmpty();
  }

  @Test
  void change_ofALink_leavesWhatItLeadsTo() throws Exception {
    Carrier carrier = changing();
    Path root = localDisk("makes symbolic links");
    Path outside = localFile("outside", random(10, 1));
    storeFile("file", random(10, 1));
    Files.createSymbolicLink(root.resolve("inner"), Path.of("file"));
    Files.createSymbolicLink(root.resolve("outer"), outside);
    Files.createSymbolicLink(root.resolve("away"), local());
    carrier.move(path("inner"), path("moved"), false);
    assertThat(root.resolve("moved")).isSymbolicLink();
    carrier.delete(path("moved"), null);
    carrier.delete(path("outer"), null);
    String out = "invalid path 'away/outside': a symbolic link leads out of the store";
    assertFails(ErrorKind.INVALID_PATH, out, () -> carrier.delete(path("away/outside"), null));
    assertFails(
        ErrorKind.INVALID_PATH, out, () -> carrier.move(path("file"), path("away/outside"), true));
    assertFails(
        ErrorKind.INVALID_PATH, out, () -> carrier.move(path("away/outside"), path("mine"), false));
    assertFails(ErrorKind.INVALID_PATH, () -> carrier.makeDirectory(path("away/new"), true));
    assertThat(TestFiles.tree(local())).containsExactly("outside");
    assertThat(root.resolve("file")).exists();
  }

  @Test
  void makeLink_thatStaysInside_isListedWithItsTarget() throws Exception {
    Carrier carrier = changing();
    Path root = localDisk("makes symbolic links");
    storeFile("d/ü +%", random(10, 1));
    carrier.makeLink(path("d/e/l"), "../ü +%", false);
    carrier.makeLink(path("d/e/l"), "../ü +%", false);
    carrier.makeLink(path("d/e/none"), "../../none", false);
    Files.createSymbolicLink(root.resolve("d/e/out"), Path.of("../../../out"));
    Files.createSymbolicLink(root.resolve("d/e/whole"), root.resolve("d/ü +%"));
    assertThat(Files.readSymbolicLink(root.resolve("d/e/l"))).isEqualTo(Path.of("../ü +%"));
    assertThat(carrier.list(path("d/e")))
        .extracting(FileFacts::name, FileFacts::link, FileFacts::size, FileFacts::leftOut)
        .containsExactly(
            tuple("d/e/l", "../ü +%", 10L, null),
            tuple("d/e/none", "../../none", 0L, FileFacts.LeftOut.LINK),
            tuple("d/e/out", "", 0L, FileFacts.LeftOut.LINK),
            tuple("d/e/whole", "", 10L, null));
    assertThat(carrier.list(path("d"))).extracting(FileFacts::link).containsOnlyNulls();
  }

  @Test
  void makeLink_ontoAnotherName_replacesItOnlyIfTold() throws Exception {
    Carrier carrier = changing();
    Path root = localDisk("makes symbolic links");
    storeFile("dir/file", random(10, 1));
    storeFile("name", random(10, 1));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier.makeLink(path("name"), "dir", false));
    carrier.makeLink(path("name"), "dir", true);
    carrier.makeLink(path("name"), "dir/file", true);
    assertThat(Files.readSymbolicLink(root.resolve("name"))).isEqualTo(Path.of("dir/file"));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier.makeLink(path("dir"), "name", true));
    assertThat(files().tree()).containsExactly("dir/", "dir/file", "name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/etc/passwd", "../../f", "a/../../../f", "a/..", "./a", ".ferry-uploads"})
  void makeLink_thatMayLeadOut_isRefused(String target) throws Exception {
    Carrier carrier = changing();
    assertFails(ErrorKind.INVALID_REQUEST, () -> carrier.makeLink(path("d/l"), target, true));
    assertThat(files().tree()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, -631_152_000_001L, 4_102_444_800_000L})
  void upload_ofAFileOfAnyTime_keepsIt(long millis) throws Exception {
    Carrier carrier = changing();
    Path source = localFile("source", random(10, 1));
    Instant time = Instant.ofEpochMilli(millis);
    // The JDK cannot set fractions of a second before 1970.
    Instant kept = millis < 0 ? time.truncatedTo(ChronoUnit.SECONDS) : time;
    FileTimes.set(source, time, "source");
    carrier.upload(source, path("file"), TransferOptions.DEFAULT);
    FileFacts stored = carrier.stat(path("file"), false);
    assertThat(stored.lastModified()).isEqualTo(kept);
    assertThat(carrier.list(StorePath.ROOT)).hasSize(1);
  }

  @Test
  void move_ofAFile_keepsContentTimeAndDigest() throws Exception {
    Carrier carrier = changing();
    byte[] bytes = random(1000, 1);
    carrier.upload(localFile("file", bytes), path("über/a file"), MAKING);
    files().makeFolder("b");
    FileFacts before = carrier.stat(path("über/a file"), Digest.Algorithm.CRC32C);
    carrier.move(path("über/a file"), path("b/ç%2f"), false);
    FileFacts after = carrier.stat(path("b/ç%2f"), false);
    assertThat(after.lastModified()).isEqualTo(before.lastModified());
    assertThat(after.version()).isEqualTo(before.version());
    assertThat(after.crc32c()).isEqualTo(before.crc32c());
    assertThat(files().read("b/ç%2f")).isEqualTo(bytes);
    assertThat(files().tree()).containsExactly("b/", "b/ç%2f", "über/");
  }

  @Test
  void move_ofAFolder_takesAllThatIsInIt() throws Exception {
    Carrier carrier = changing();
    storeFile("dir/sub/file", random(10, 1));
    carrier.move(path("dir"), path("new"), false);
    assertThat(files().tree()).containsExactly("new/", "new/sub/", "new/sub/file");
  }

  @Test
  void move_toAnExistingFile_replacesItOnlyOnRequest() throws Exception {
    Carrier carrier = changing();
    byte[] bytes = random(10, 1);
    storeFile("a", bytes);
    storeFile("b", random(20, 2));
    Sha256 old = carrier.stat(path("b"), true).sha256();
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        "b: already exists",
        () -> carrier.move(path("a"), path("b"), false));
    assertThat(files().tree()).containsExactly("a", "b");
    carrier.move(path("a"), path("b"), true);
    assertThat(files().tree()).containsExactly("b");
    assertThat(files().read("b")).isEqualTo(bytes);
    assertThat(carrier.stat(path("b"), true).sha256()).isNotEqualTo(old);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void move_thatCannotBe_changesNothing(boolean replace) throws Exception {
    Carrier carrier = changing();
    storeFile("dir/file", random(10, 1));
    storeFile("file", random(10, 1));
    files().makeFolder("empty");
    List<String> before = files().tree();
    assertMoveFails(ErrorKind.NOT_FOUND, "no: no such file", "no", "new", replace);
    assertMoveFails(ErrorKind.NOT_FOUND, "no: no such folder", "no/file", "new", replace);
    assertMoveFails(ErrorKind.NOT_FOUND, "no: no such folder", "file", "no/new", replace);
    assertMoveFails(
        ErrorKind.ALREADY_EXISTS, "file: is a file, not a folder", "dir", "file/new", replace);
    assertMoveFails(ErrorKind.ALREADY_EXISTS, "file: already exists", "file", "file", replace);
    assertMoveFails(ErrorKind.ALREADY_EXISTS, "file: already exists", "dir", "file", replace);
    assertMoveFails(ErrorKind.ALREADY_EXISTS, "empty: is a folder", "file", "empty", replace);
    assertMoveFails(ErrorKind.ALREADY_EXISTS, "empty: is a folder", "dir", "empty", replace);
    assertMoveFails(
        ErrorKind.INVALID_REQUEST,
        "dir: a folder cannot be moved into itself",
        "dir",
        "dir/new",
        replace);
    assertThat(files().tree()).isEqualTo(before);
  }

  private void assertMoveFails(
      ErrorKind kind, String message, String source, String target, boolean replace) {
    assertFails(kind, message, () -> carrier().move(path(source), path(target), replace));
  }

  @Test
  void moves_ofACrowdToOneName_letExactlyOneWin() throws Exception {
    Carrier carrier = changing();
    List<Background<Boolean>> moves = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      StorePath source = path("file" + i);
      storeFile(source.value(), random(10, i));
      moves.add(
          Background.start(
              () -> {
                carrier.move(source, path("new"), false);
                return true;
              }));
    }
    int won = 0;
    for (Background<Boolean> move : moves) {
      try {
        won += move.result() ? 1 : 0;
      } catch (FerryException e) {
        assertKind(List.of(ErrorKind.ALREADY_EXISTS), e);
      }
    }
    assertThat(won).isEqualTo(1);
    assertThat(files().tree()).hasSize(CROWD).contains("new");
  }

  @Test
  void makeDirectory_ofANewName_makesIt() throws Exception {
    Carrier carrier = changing();
    carrier.makeDirectory(path("new"), false);
    carrier.makeDirectory(path("new/er"), true);
    carrier.makeDirectory(path("a/b/c"), true);
    carrier.makeDirectory(path("a/b"), true);
    assertThat(files().tree()).containsExactly("a/", "a/b/", "a/b/c/", "new/", "new/er/");
  }

  @Test
  void makeDirectory_thatCannotBe_changesNothing() throws Exception {
    Carrier carrier = changing();
    storeFile("dir/file", random(10, 1));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier.makeDirectory(path("dir"), false));
    for (boolean parents : new boolean[] {false, true}) {
      assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier.makeDirectory(path("dir/file"), parents));
      assertFails(
          ErrorKind.ALREADY_EXISTS,
          "dir/file: is a file, not a folder",
          () -> carrier.makeDirectory(path("dir/file/new"), parents));
    }
    assertFails(
        ErrorKind.NOT_FOUND,
        "no: no such folder",
        () -> carrier.makeDirectory(path("no/new"), false));
    assertThat(files().tree()).containsExactly("dir/", "dir/file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "..", "a/../../b", "/etc", "a//b", ".ferry-1-1-0123456789abcdef.part"})
  void change_ofAnInvalidPath_isRefusedAsSuch(String text) throws Exception {
    Carrier carrier = changing();
    storeFile("file", random(10, 1));
    StorePath invalid = new StorePath(text);
    assertFails(ErrorKind.INVALID_PATH, () -> carrier.delete(invalid, null));
    assertFails(ErrorKind.INVALID_PATH, () -> carrier.move(invalid, path("new"), true));
    assertFails(ErrorKind.INVALID_PATH, () -> carrier.move(path("file"), invalid, true));
    assertFails(ErrorKind.INVALID_PATH, () -> carrier.makeDirectory(invalid, true));
    assertThat(files().tree()).containsExactly("file");
  }
}
