package dev.ferry.cli.sync;

import static dev.ferry.cli.sync.SyncFolders.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.ExecutedCommands;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.cli.sync.SyncFolders.Way;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What sync deletes and replaces, what it does not, and what it keeps of it. */
@Timeout(300)
final class SyncDeleteTest {
  private static final Instant TIME = Instant.parse("2020-01-02T03:04:05.678Z");

  @TempDir Path root;
  @TempDir Path local;
  @TempDir Path temporary;
  private ForgetfulStore store;
  private Servers servers;
  private SyncFolders folders;

  /** A store whose folder "tree" is empty after some lists, and which may refuse changes. */
  private static final class ForgetfulStore extends ForwardingStore {
    private volatile int lists = Integer.MAX_VALUE;
    private volatile boolean refuses;
    private volatile boolean full;
    private volatile boolean knowsOfA;
    private volatile boolean cancelsMoves;
    private volatile @Nullable StorePath keeps;

    ForgetfulStore(Path root) throws FerryException {
      super(LocalFileStore.open(root));
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      boolean forgotten = directory.value().equals("tree") && --lists < 0;
      return super.list(forgotten ? StorePath.parse("tree/empty") : directory);
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      if (refuses) {
        throw new FerryException(ErrorKind.PERMISSION_DENIED, path + ": is in trouble");
      }
      if (full) {
        boolean ends = path.name().equals("b") && knowsOfA;
        knowsOfA |= path.name().equals("a");
        throw new FerryException(
            ends ? ErrorKind.OUT_OF_SPACE : ErrorKind.OVERLOADED, path + ": is not taken");
      }
      return super.create(path, options);
    }

    @Override
    public void delete(StorePath path, @Nullable String version) throws FerryException {
      if (path.equals(keeps)) {
        throw new FerryException(ErrorKind.LOCKED, path + ": is locked");
      }
      super.delete(path, version);
    }

    @Override
    public void move(StorePath from, StorePath to, boolean replace) throws FerryException {
      super.move(from, to, replace);
      if (cancelsMoves) {
        cancelsMoves = false;
        throw new FerryException(ErrorKind.CANCELLED, from + ": nobody waits for it");
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    store = new ForgetfulStore(root);
    servers = Servers.start(store);
    folders = new SyncFolders(root, local, servers);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private Path source(Way way) {
    return folders.source(way);
  }

  private Path target(Way way) {
    return folders.target(way);
  }

  private void assertRefused(Way way, String message, String... options) throws IOException {
    List<String> before = TestFiles.tree(target(way));
    Outcome outcome = folders.sync(CarrierChoice.GRPC, way, options);
    assertThat(outcome.exitCode()).isEqualTo(4);
    assertThat(outcome.err()).contains("tree/: " + message).hasLineCount(1);
    assertThat(TestFiles.tree(target(way))).isEqualTo(before);
  }

  private void assertDone(Way way, String counts, String... options) {
    Outcome outcome = folders.sync(CarrierChoice.HTTP, way, options);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains(": " + counts + ", ");
    assertThat(outcome.exitCode()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void sync_deleteWithASlashInAnExclude_keepsTheFolder(Way way) throws Exception {
    write(source(way).resolve("a"), "a", TIME);
    for (String pattern :
        List.of("uploads/", "/uploads", "./uploads", "**/uploads/**", "uploads/**", "up*/")) {
      write(target(way).resolve("uploads/photo.jpg"), "photo", TIME);
      write(target(way).resolve("old/x"), "x", TIME);
      Outcome outcome = folders.sync(CarrierChoice.GRPC, way, "--delete", "--exclude=" + pattern);
      assertThat(outcome.err()).isEmpty();
      assertThat(target(way).resolve("uploads/photo.jpg")).as(pattern).exists();
      assertThat(target(way).resolve("old")).doesNotExist();
    }
  }

  @ParameterizedTest
  @EnumSource
  void sync_deleteWithAnEmptiedSource_deletesNothingUnlessTold(Way way) throws Exception {
    Files.createDirectories(source(way).resolve("sub"));
    write(source(way).resolve("no.log"), "excluded", TIME);
    for (String name : List.of("a", "sub/b", "old/c", "no.log")) {
      write(target(way).resolve(name), name, TIME);
    }
    String all = "3 files would be deleted, which is all, since SOURCE has none; ";
    String exclude = "--exclude=*.log";
    for (String limit : List.of("--max-delete=99%", "--max-delete=1000", "--jobs=1")) {
      assertRefused(way, all + "--max-delete 100% allows it", "--delete", exclude, limit);
    }
    assertDone(way, "0 copied, 0 deleted, 0 unchanged", exclude);
    assertDone(way, "0 copied, 4 deleted, 0 unchanged", "--delete", exclude, "--max-delete=100%");
    assertThat(TestFiles.tree(target(way))).containsExactlyInAnyOrder("no.log", "sub/");
    // Without a file in the target, nothing is lost.
    Files.createDirectories(target(way).resolve("hollow"));
    assertDone(way, "0 copied, 1 deleted, 0 unchanged", "--delete", exclude);
  }

  @ParameterizedTest
  @EnumSource
  void sync_maxDelete_deletesNothingAboveIt(Way way) throws Exception {
    for (String name : List.of("a", "b")) {
      write(source(way).resolve(name), name, TIME);
      write(target(way).resolve(name), name, TIME);
    }
    for (String name : List.of("x", "old/y", "old/z")) {
      write(target(way).resolve(name), name, TIME);
    }
    for (String limit : List.of("0", "2", "0%", "59%")) {
      String message = "3 files would be deleted, over --max-delete " + limit + "; raise it to";
      assertRefused(way, message, "--delete", "--max-delete=" + limit);
    }
    assertDone(way, "0 copied, 4 deleted, 2 unchanged", "--delete", "--max-delete=60%");
    write(target(way).resolve("x"), "x", TIME);
    assertDone(way, "0 copied, 1 deleted, 2 unchanged", "--delete", "--max-delete=1");
    write(target(way).resolve("x"), "x", TIME);
    write(source(way).resolve("new"), "new", TIME);
    Outcome copied = folders.sync(CarrierChoice.GRPC, way, "--delete", "--max-delete=0");
    assertThat(copied.err()).contains("1 file would be deleted, over --max-delete 0");
    assertThat(target(way).resolve("new")).exists();
    assertThat(target(way).resolve("x")).exists();
  }

  @Test
  void sync_dryRunThatWouldEmptyTheTarget_showsTheListAndFails() throws Exception {
    Files.createDirectories(source(Way.UP));
    write(target(Way.UP).resolve("old/x"), "x", TIME);
    Outcome outcome = folders.sync(CarrierChoice.GRPC, Way.UP, "--delete", "--dry-run", "--quiet");
    assertThat(outcome.out().lines())
        .containsExactlyInAnyOrder("would delete tree/old/x", "would delete tree/old/");
    assertThat(outcome.err()).contains("tree/: 1 file would be deleted, which is all");
    assertThat(outcome.exitCode()).isEqualTo(4);
  }

  @Test
  void sync_emptiedSourceOnATerminal_asks() throws Exception {
    List<List<String>> commands = new ArrayList<>();
    Map<Way, Path> files = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      // Each way has folders of its own: the target of one is the source of the other.
      Files.createDirectories(source(way).resolveSibling(way.name()));
      files.put(way, write(target(way).resolveSibling(way.name()).resolve("x"), "x", TIME));
      List<String> command =
          Stream.of(folders.command(CarrierChoice.GRPC, way, "--delete"))
              .map(word -> word.replaceFirst("/tree$", "/" + way.name()))
              .toList();
      commands.add(command);
      commands.add(command);
    }
    String question = "1 file would be deleted, which is all, since SOURCE has none; delete all?";
    try (PseudoTerminal terminal =
        ExecutedCommands.onTerminal(temporary.resolve("commands"), commands)) {
      int asked = 0;
      for (Way way : Way.values()) {
        Path file = files.get(way);
        terminal.await(question, ++asked);
        assertThat(file).exists();
        terminal.type("n\n");
        terminal.await(question, ++asked);
        assertThat(file).exists();
        terminal.type("y\n");
        terminal.await("=0", asked / 2);
        assertThat(file).doesNotExist();
      }
      assertThat(terminal.exitCode()).isZero();
      assertThat(ExecutedCommands.outcomes(terminal.screen()))
          .extracting(Outcome::exitCode)
          .containsExactly(4, 0, 4, 0);
    }
  }

  @Test
  void sync_sourceThatEmptiesAfterTheCount_deletesNothing() throws Exception {
    Files.createDirectories(source(Way.DOWN).resolve("empty"));
    for (String name : List.of("a", "b")) {
      write(source(Way.DOWN).resolve(name), name, TIME);
      write(target(Way.DOWN).resolve(name), name, TIME);
    }
    store.lists = 2;
    Outcome outcome = folders.sync(CarrierChoice.GRPC, Way.DOWN, "--delete");
    assertThat(outcome.exitCode()).isEqualTo(8);
    assertThat(outcome.err()).contains("more files than the 0 that were counted").hasLineCount(1);
    assertThat(TestFiles.tree(target(Way.DOWN))).contains("a", "b");
  }

  @ParameterizedTest
  @CsvSource({
    "UP, GRPC, kept, tree/kept",
    "UP, HTTP, deep/kept/, tree/deep/kept",
    "UP, HTTP, ../kept, kept",
    "UP, GRPC, /a/kept, a/kept",
    "DOWN, GRPC, ./kept, tree/kept",
    "DOWN, HTTP, deep/kept, tree/deep/kept",
    "DOWN, GRPC, ../kept, kept",
  })
  void sync_backupDir_keepsWhatIsReplacedAndDeletedAndIsNoPartOfTheTree(
      Way way, CarrierChoice carrier, String option, String place) throws Exception {
    Path target = target(way);
    Path backup = target.resolveSibling(place);
    write(source(way).resolve("sub/new"), "new", TIME);
    write(source(way).resolve("sub/same"), "same", TIME);
    write(source(way).resolve("sub/changed"), "changed", TIME);
    write(target.resolve("sub/same"), "same", TIME);
    write(target.resolve("sub/changed"), "before", TIME);
    write(target.resolve("old/deep/x"), "x", TIME);
    write(target.resolve("deep/y"), "y", TIME);
    String dir = "--backup-dir=" + option;
    Outcome copied = folders.sync(carrier, way, dir);
    assertThat(copied.err()).isEmpty();
    assertThat(copied.out()).contains(": 2 copied, 0 deleted, 1 unchanged, ");
    assertThat(TestFiles.tree(backup)).containsExactlyInAnyOrder("sub/", "sub/changed");
    String[] delete = {dir, "--delete"};
    Outcome deleted = folders.sync(carrier, way, delete);
    assertThat(deleted.err()).isEmpty();
    assertThat(deleted.out()).contains(": 0 copied, ", " deleted, 3 unchanged, ");
    assertThat(TestFiles.tree(backup)).contains("sub/changed", "old/deep/x", "deep/y");
    assertThat(backup.resolve("sub/changed")).hasContent("before");
    assertThat(backup.resolve("old/deep/x")).hasContent("x");
    assertThat(target.resolve("sub/changed")).hasContent("changed");
    assertThat(target.resolve("old")).doesNotExist();
    Outcome again = folders.sync(carrier, way, delete);
    assertThat(again.out()).contains(": 0 copied, 0 deleted, 3 unchanged, ");
    assertThat(again.err()).isEmpty();
    // An earlier backup is replaced, which is said.
    write(target.resolve("old/deep/x"), "newer", TIME);
    Outcome replaced = folders.sync(carrier, way, delete);
    assertThat(replaced.err())
        .contains("old/deep/x: an earlier backup was replaced; choose")
        .hasLineCount(1);
    assertThat(backup.resolve("old/deep/x")).hasContent("newer");
    assertThat(target.resolve("old")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void sync_backupDirThatTheSourceHas_isLeftOutThereWithALine(Way way) throws Exception {
    write(source(way).resolve("kept/mine"), "mine", TIME);
    write(source(way).resolve("a"), "a", TIME);
    write(target(way).resolve("a"), "before", TIME);
    Outcome outcome = folders.sync(CarrierChoice.GRPC, way, "--delete", "--backup-dir=kept");
    assertThat(outcome.err())
        .contains("tree/kept: left out, --backup-dir keeps files of the target there")
        .hasLineCount(1);
    assertThat(TestFiles.tree(target(way))).containsExactlyInAnyOrder("a", "kept/", "kept/a");
  }

  @ParameterizedTest
  @EnumSource
  void sync_backupThatCannotBeMade_leavesTheFile(Way way) throws Exception {
    write(source(way).resolve("a"), "a", TIME);
    Path old = write(target(way).resolve("old/x"), "x", TIME);
    write(target(way).resolve("kept/old"), "a file in the place of a folder", TIME);
    for (String place : List.of("kept", "../tree/kept")) {
      Outcome outcome = folders.sync(CarrierChoice.GRPC, way, "--delete", "--backup-dir=" + place);
      assertThat(outcome.exitCode()).isEqualTo(4);
      assertThat(outcome.err()).contains("kept/old").hasLineCount(1);
      assertThat(old).hasContent("x");
    }
    Files.delete(target(way).resolve("kept/old"));
    write(target(way).resolve("kept/old/x/y"), "a folder in the place of a file", TIME);
    Outcome outcome = folders.sync(CarrierChoice.HTTP, way, "--delete", "--backup-dir=kept");
    assertThat(outcome.exitCode()).isEqualTo(4);
    assertThat(outcome.err()).contains("kept/old/x").hasLineCount(1);
    assertThat(old).hasContent("x");
  }

  @ParameterizedTest
  @EnumSource
  void sync_backupInThePlaceOfAPipe_leavesThePipe(Way way) throws Exception {
    write(source(way).resolve("a"), "a", TIME);
    Files.createDirectories(target(way));
    Path pipe = target(way).resolve("a");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (String option : List.of("--dry-run", "--delete")) {
      Outcome outcome = folders.sync(CarrierChoice.GRPC, way, "--backup-dir=../kept", option);
      assertThat(outcome.exitCode()).isEqualTo(10);
      assertThat(outcome.err()).contains("tree/a: is not replaced, it is a device, a named pipe");
      assertThat(outcome.out()).doesNotContain("would copy");
    }
    assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther()).isTrue();
    assertThat(target(way).resolve("../kept")).doesNotExist();
  }

  @Test
  void sync_copyThatFailsAfterABackup_putsTheFormerFileBack() throws Exception {
    write(source(Way.UP).resolve("a"), "a", TIME);
    Path file = write(target(Way.UP).resolve("a"), "before", TIME);
    store.refuses = true;
    Outcome outcome = folders.sync(CarrierChoice.GRPC, Way.UP, "--backup-dir=kept");
    assertThat(outcome.exitCode()).isEqualTo(10);
    assertThat(outcome.err()).contains("a: is in trouble").hasLineCount(1);
    assertThat(file).hasContent("before");
    assertThat(target(Way.UP).resolve("kept")).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void sync_failureOfAnotherFileAfterABackup_putsTheFormerFileBack(CarrierChoice carrier)
      throws Exception {
    for (String name : List.of("a", "b", "c")) {
      write(source(Way.UP).resolve(name), name, TIME);
      write(target(Way.UP).resolve(name), "before", TIME);
    }
    store.full = true;
    // When c is to begin, b has failed, and a waits for its next attempt.
    String[] options = {"--backup-dir=kept", "--jobs=2", "--retry-for=1m"};
    Outcome outcome = folders.sync(carrier, Way.UP, options);
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(9);
    assertThat(outcome.err()).doesNotContain("the former file is");
    for (String name : List.of("a", "b", "c")) {
      assertThat(target(Way.UP).resolve(name)).hasContent("before");
    }
    assertThat(target(Way.UP).resolve("kept")).isEmptyDirectory();
  }

  @Test
  void sync_backupThatIsCancelledAfterTheMove_putsTheFormerFileBack() throws Exception {
    write(source(Way.UP).resolve("a"), "a", TIME);
    Path file = write(target(Way.UP).resolve("a"), "before", TIME);
    Files.createDirectories(target(Way.UP).resolve("kept"));
    store.cancelsMoves = true;
    Outcome outcome = folders.sync(CarrierChoice.GRPC, Way.UP, "--backup-dir=kept");
    assertThat(outcome.exitCode()).as(outcome.out()).isEqualTo(1);
    assertThat(file).hasContent("before");
    assertThat(target(Way.UP).resolve("kept")).isEmptyDirectory();
  }

  @Test
  void sync_backupOfALocalLink_keepsTheLink() throws Exception {
    write(source(Way.DOWN).resolve("a"), "a", TIME);
    Path elsewhere = write(local.resolve("elsewhere/x"), "x", TIME);
    Files.createDirectories(target(Way.DOWN));
    Files.createSymbolicLink(target(Way.DOWN).resolve("link"), elsewhere.getParent());
    Files.createSymbolicLink(target(Way.DOWN).resolve("uploads"), elsewhere.getParent());
    assertDone(
        Way.DOWN,
        "1 copied, 1 deleted, 0 unchanged",
        "--delete",
        "--backup-dir=k",
        "--exclude=up*/");
    assertThat(target(Way.DOWN).resolve("k/link")).isSymbolicLink();
    assertThat(target(Way.DOWN).resolve("uploads")).isSymbolicLink();
    assertThat(elsewhere).hasContent("x");
  }

  @ParameterizedTest
  @CsvSource({"old/a, GRPC", "old/a, HTTP", "old/deep, HTTP"})
  void sync_nameThatCannotBeDeleted_isNamedAndTheOthersAreDeleted(
      String name, CarrierChoice carrier) throws Exception {
    write(source(Way.UP).resolve("same"), "same", TIME);
    for (String file : List.of("same", "old/a", "old/deep/b", "old/deep/c", "x")) {
      write(target(Way.UP).resolve(file), "same", TIME);
    }
    store.keeps = StorePath.parse("tree/" + name);
    Outcome outcome = folders.sync(carrier, Way.UP, "--delete", "--jobs=1");
    assertThat(outcome.err()).contains("tree/" + name + ": is locked").hasLineCount(1);
    assertThat(outcome.exitCode()).isEqualTo(10);
    assertThat(outcome.out()).contains(" deleted, 1 unchanged, 1 failed, ");
    assertThat(target(Way.UP).resolve(name)).exists();
    assertThat(target(Way.UP).resolve("x")).doesNotExist();
    assertThat(target(Way.UP).resolve("old/deep/c"))
        .matches(left -> Files.exists(left) == name.equals("old/deep"));
  }

  @ParameterizedTest
  @EnumSource
  void sync_serverWithoutRoom_saysOnceWhatToDo(CarrierChoice carrier) throws Exception {
    for (String name : List.of("a", "b")) {
      write(source(Way.UP).resolve(name), name, TIME);
    }
    store.full = true;
    Outcome outcome = folders.sync(carrier, Way.UP, "--jobs=2", "--retry-for=1m");
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(9);
    assertThat(outcome.err()).endsWith("tree/b: is not taken; free some space there\n");
  }
}
