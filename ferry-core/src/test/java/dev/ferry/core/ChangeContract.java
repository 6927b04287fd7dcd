package dev.ferry.core;

import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

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

  @Test
  void delete_ofAFileOrAnEmptyFolder_removesIt() throws Exception {
    Carrier carrier = carrier();
    storeFile("dir/file", random(10, 1));
    storeFile("kept", random(10, 1));
    carrier.change(new Change.Delete(path("dir/file"), null), CallLimits.DEFAULT);
    assertThat(files().tree()).containsExactly("dir/", "kept");
    carrier.change(new Change.Delete(path("dir"), null), CallLimits.DEFAULT);
    assertThat(files().tree()).containsExactly("kept");
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir: no such folder",
        () -> carrier.change(new Change.Delete(path("dir/f"), null), CallLimits.DEFAULT));
  }

  @Test
  void delete_ofAFolderWithFiles_isRefused() throws Exception {
    Carrier carrier = carrier();
    storeFile("dir/file", random(10, 1));
    assertFails(
        ErrorKind.NOT_EMPTY,
        "dir: the folder is not empty",
        () -> carrier.change(new Change.Delete(path("dir"), null), CallLimits.DEFAULT));
    assertThat(files().tree()).containsExactly("dir/", "dir/file");
  }

  @Test
  void delete_ofAFolderWithLeftovers_removesBoth() throws Exception {
    Carrier carrier = carrier();
    Path unused = localDisk("leaves the temporary file of an upload in a folder");
    storeFile("dir/.ferry-999999999-1-0123456789abcdef.part", random(10, 1));
    carrier.change(new Change.Delete(path("dir"), null), CallLimits.DEFAULT);
    assertThat(files().tree()).isEmpty();
  }

  @Test
  void delete_ofAVersion_removesNoOther() throws Exception {
    Carrier carrier = carrier();
    storeFile("file", random(10, 1));
    String version = carrier.stat(path("file"), null, CallLimits.DEFAULT).version();
    storeFile("file", random(11, 1));
    assertFails(
        ErrorKind.VERSION_MISMATCH,
        () -> carrier.change(new Change.Delete(path("file"), version), CallLimits.DEFAULT));
    assertThat(files().tree()).containsExactly("file");
    carrier.change(
        new Change.Delete(
            path("file"), carrier.stat(path("file"), null, CallLimits.DEFAULT).version()),
        CallLimits.DEFAULT);
    assertThat(files().tree()).isEmpty();
  }

  @Test
  void change_ofALink_leavesWhatItLeadsTo() throws Exception {
    Carrier carrier = carrier();
    Path root = localDisk("makes symbolic links");
    Path outside = localFile("outside", random(10, 1));
    storeFile("file", random(10, 1));
    Files.createSymbolicLink(root.resolve("inner"), Path.of("file"));
    Files.createSymbolicLink(root.resolve("outer"), outside);
    Files.createSymbolicLink(root.resolve("away"), local());
    carrier.change(new Change.Move(path("inner"), path("moved"), false), CallLimits.DEFAULT);
    assertThat(root.resolve("moved")).isSymbolicLink();
    carrier.change(new Change.Delete(path("moved"), null), CallLimits.DEFAULT);
    carrier.change(new Change.Delete(path("outer"), null), CallLimits.DEFAULT);
    String out = "invalid path 'away/outside': a symbolic link leads out of the store";
    assertFails(
        ErrorKind.INVALID_PATH,
        out,
        () -> carrier.change(new Change.Delete(path("away/outside"), null), CallLimits.DEFAULT));
    assertFails(
        ErrorKind.INVALID_PATH,
        out,
        () ->
            carrier.change(
                new Change.Move(path("file"), path("away/outside"), true), CallLimits.DEFAULT));
    assertFails(
        ErrorKind.INVALID_PATH,
        out,
        () ->
            carrier.change(
                new Change.Move(path("away/outside"), path("mine"), false), CallLimits.DEFAULT));
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> carrier.change(new Change.MakeDirectory(path("away/new"), true), CallLimits.DEFAULT));
    assertThat(TestFiles.tree(local())).containsExactly("outside");
    assertThat(root.resolve("file")).exists();
  }

  @Test
  void make_tooManyFoldersDeep_isRefused() throws Exception {
    Carrier carrier = carrier();
    String deepest = "d/".repeat(StorePath.MAX_DEPTH - 1);
    carrier.change(new Change.MakeDirectory(path(deepest + "d"), true), CallLimits.DEFAULT);
    assertFails(
        ErrorKind.INVALID_PATH,
        () ->
            carrier.change(
                new Change.MakeDirectory(path(deepest + "d/d/d"), true), CallLimits.DEFAULT));
    storeFile("file", random(10, 1));
    assertFails(
        ErrorKind.INVALID_PATH,
        () ->
            carrier.change(
                new Change.Move(path("file"), path(deepest + "d/d/f"), false), CallLimits.DEFAULT));
    Path local = localFile("local", random(10, 1));
    TransferOptions making = TransferOptions.DEFAULT.withMakeParents(true);
    carrier.upload(local, path(deepest + "d/f"), making);
    assertFails(
        ErrorKind.INVALID_PATH, () -> carrier.upload(local, path("e/" + deepest + "d/f"), making));
    assertThat(files().tree())
        .hasSize(StorePath.MAX_DEPTH + 2)
        .noneMatch(name -> name.startsWith("e"));
  }

  @Test
  void makeLink_thatStaysInside_isListedWithItsTarget() throws Exception {
    Carrier carrier = carrier();
    Path root = localDisk("makes symbolic links");
    storeFile("d/ü +%", random(10, 1));
    carrier.change(new Change.MakeLink(path("d/e/l"), "../ü +%", false), CallLimits.DEFAULT);
    carrier.change(new Change.MakeLink(path("d/e/l"), "../ü +%", false), CallLimits.DEFAULT);
    carrier.change(new Change.MakeLink(path("d/e/none"), "../../none", false), CallLimits.DEFAULT);
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
  void move_ofALinkThatWouldLeadOut_isRefused() throws Exception {
    Carrier carrier = carrier();
    Path root = localDisk("makes symbolic links");
    storeFile("file", random(10, 1));
    carrier.change(new Change.MakeLink(path("a/b/l"), "../../file", false), CallLimits.DEFAULT);
    for (String up : List.of("l", "a/l")) {
      assertMoveFails(
          ErrorKind.INVALID_REQUEST,
          "a/b/l: as " + up + ", the link would lead out of the store; make a new one",
          "a/b/l",
          up,
          true);
    }
    carrier.change(new Change.Move(path("a/b/l"), path("a/b/m"), false), CallLimits.DEFAULT);
    assertThat(files().tree()).containsExactly("a/", "a/b/", "a/b/m", "file");
    // What a moved folder has is not read. It then leads out, and is not followed.
    carrier.change(new Change.Move(path("a/b"), path("b"), false), CallLimits.DEFAULT);
    assertThat(root.resolve("b/m")).isSymbolicLink();
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> carrier.change(new Change.MakeDirectory(path("b/m/new"), true), CallLimits.DEFAULT));
  }

  @Test
  void makeLink_ontoAnotherName_replacesItOnlyIfTold() throws Exception {
    Carrier carrier = carrier();
    Path root = localDisk("makes symbolic links");
    storeFile("dir/file", random(10, 1));
    storeFile("name", random(10, 1));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> carrier.change(new Change.MakeLink(path("name"), "dir", false), CallLimits.DEFAULT));
    carrier.change(new Change.MakeLink(path("name"), "dir", true), CallLimits.DEFAULT);
    carrier.change(new Change.MakeLink(path("name"), "dir/file", true), CallLimits.DEFAULT);
    assertThat(Files.readSymbolicLink(root.resolve("name"))).isEqualTo(Path.of("dir/file"));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> carrier.change(new Change.MakeLink(path("dir"), "name", true), CallLimits.DEFAULT));
    assertThat(files().tree()).containsExactly("dir/", "dir/file", "name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/etc/passwd", "../../f", "a/../../../f", "a/..", "./a", ".ferry-uploads"})
  void makeLink_thatMayLeadOut_isRefused(String target) throws Exception {
    Carrier carrier = carrier();
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> carrier.change(new Change.MakeLink(path("d/l"), target, true), CallLimits.DEFAULT));
    assertThat(files().tree()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, -631_152_000_001L, 4_102_444_800_000L})
  void upload_ofAFileOfAnyTime_keepsIt(long millis) throws Exception {
    Carrier carrier = carrier();
    Path source = localFile("source", random(10, 1));
    Instant time = Instant.ofEpochMilli(millis);
    // The JDK cannot set fractions of a second before 1970.
    Instant kept = millis < 0 ? time.truncatedTo(ChronoUnit.SECONDS) : time;
    FileTimes.set(source, time, "source");
    carrier.upload(source, path("file"), TransferOptions.DEFAULT);
    FileFacts stored = carrier.stat(path("file"), null, CallLimits.DEFAULT);
    assertThat(stored.lastModified()).isEqualTo(kept);
    assertThat(carrier.list(StorePath.ROOT)).hasSize(1);
  }

  @Test
  void move_ofAFile_keepsContentTimeAndDigest() throws Exception {
    Carrier carrier = carrier();
    byte[] bytes = random(1000, 1);
    carrier.upload(localFile("file", bytes), path("über/a file"), MAKING);
    files().makeFolder("b");
    FileFacts before =
        carrier.stat(path("über/a file"), Digest.Algorithm.CRC32C, CallLimits.DEFAULT);
    carrier.change(new Change.Move(path("über/a file"), path("b/ç%2f"), false), CallLimits.DEFAULT);
    FileFacts after = carrier.stat(path("b/ç%2f"), null, CallLimits.DEFAULT);
    assertThat(after.lastModified()).isEqualTo(before.lastModified());
    assertThat(after.crc32c()).isEqualTo(before.crc32c());
    assertThat(files().read("b/ç%2f")).isEqualTo(bytes);
    assertThat(files().tree()).containsExactly("b/", "b/ç%2f", "über/");
  }

  @Test
  void move_ofAFolder_takesAllThatIsInIt() throws Exception {
    Carrier carrier = carrier();
    storeFile("dir/sub/file", random(10, 1));
    carrier.change(new Change.Move(path("dir"), path("new"), false), CallLimits.DEFAULT);
    assertThat(files().tree()).containsExactly("new/", "new/sub/", "new/sub/file");
  }

  @Test
  void move_toAnExistingFile_replacesItOnlyOnRequest() throws Exception {
    Carrier carrier = carrier();
    byte[] bytes = random(10, 1);
    storeFile("a", bytes);
    storeFile("b", random(20, 2));
    Sha256 old = carrier.stat(path("b"), Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256();
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        "b: already exists",
        () -> carrier.change(new Change.Move(path("a"), path("b"), false), CallLimits.DEFAULT));
    assertThat(files().tree()).containsExactly("a", "b");
    carrier.change(new Change.Move(path("a"), path("b"), true), CallLimits.DEFAULT);
    assertThat(files().tree()).containsExactly("b");
    assertThat(files().read("b")).isEqualTo(bytes);
    assertThat(carrier.stat(path("b"), Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256())
        .isNotEqualTo(old);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void move_thatCannotBe_changesNothing(boolean replace) throws Exception {
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
    assertFails(
        kind,
        message,
        () ->
            carrier()
                .change(new Change.Move(path(source), path(target), replace), CallLimits.DEFAULT));
  }

  @Test
  void moves_ofACrowdToOneName_letExactlyOneWin() throws Exception {
    Carrier carrier = carrier();
    List<Background<Boolean>> moves = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      StorePath source = path("file" + i);
      storeFile(source.value(), random(10, i));
      moves.add(
          Background.start(
              () -> {
                carrier.change(new Change.Move(source, path("new"), false), CallLimits.DEFAULT);
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
    Carrier carrier = carrier();
    carrier.change(new Change.MakeDirectory(path("new"), false), CallLimits.DEFAULT);
    carrier.change(new Change.MakeDirectory(path("new/er"), true), CallLimits.DEFAULT);
    carrier.change(new Change.MakeDirectory(path("a/b/c"), true), CallLimits.DEFAULT);
    carrier.change(new Change.MakeDirectory(path("a/b"), true), CallLimits.DEFAULT);
    assertThat(files().tree()).containsExactly("a/", "a/b/", "a/b/c/", "new/", "new/er/");
  }

  @Test
  void makeDirectory_likeAnotherOne_isNoMoreOpen() throws Exception {
    Carrier carrier = carrier();
    carrier.change(new Change.MakeDirectory(path("a/private"), true, 0700), CallLimits.DEFAULT);
    // Its owner has to put files into it.
    carrier.change(new Change.MakeDirectory(path("read-only"), false, 0500), CallLimits.DEFAULT);
    for (String name : List.of("a", "a/private", "read-only")) {
      FileFacts facts = carrier.stat(path(name), null, CallLimits.DEFAULT);
      assertThat(facts.directory()).isTrue();
      assertThat(facts.mode()).isEqualTo(files().onLocalDisk() ? (Integer) 0700 : null);
    }
  }

  @Test
  void makeDirectory_thatCannotBe_changesNothing() throws Exception {
    Carrier carrier = carrier();
    storeFile("dir/file", random(10, 1));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> carrier.change(new Change.MakeDirectory(path("dir"), false), CallLimits.DEFAULT));
    for (boolean parents : new boolean[] {false, true}) {
      assertFails(
          ErrorKind.ALREADY_EXISTS,
          () ->
              carrier.change(
                  new Change.MakeDirectory(path("dir/file"), parents), CallLimits.DEFAULT));
      assertFails(
          ErrorKind.ALREADY_EXISTS,
          "dir/file: is a file, not a folder",
          () ->
              carrier.change(
                  new Change.MakeDirectory(path("dir/file/new"), parents), CallLimits.DEFAULT));
    }
    assertFails(
        ErrorKind.NOT_FOUND,
        "no: no such folder",
        () -> carrier.change(new Change.MakeDirectory(path("no/new"), false), CallLimits.DEFAULT));
    assertThat(files().tree()).containsExactly("dir/", "dir/file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "..", "a/../../b", "/etc", "a//b", ".ferry-1-1-0123456789abcdef.part"})
  void change_ofAnInvalidPath_isRefusedAsSuch(String text) throws Exception {
    Carrier carrier = carrier();
    storeFile("file", random(10, 1));
    StorePath invalid = new StorePath(text);
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> carrier.change(new Change.Delete(invalid, null), CallLimits.DEFAULT));
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> carrier.change(new Change.Move(invalid, path("new"), true), CallLimits.DEFAULT));
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> carrier.change(new Change.Move(path("file"), invalid, true), CallLimits.DEFAULT));
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> carrier.change(new Change.MakeDirectory(invalid, true), CallLimits.DEFAULT));
    assertThat(files().tree()).containsExactly("file");
  }
}
